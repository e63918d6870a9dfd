"""Plays tournaments: new, resumed, forked, forecast."""
