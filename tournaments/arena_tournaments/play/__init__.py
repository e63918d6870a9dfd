"""Plays rounds: schedule, volume, runner."""
