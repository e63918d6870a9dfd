"""Tournaments: formats, standings, and the runner."""
