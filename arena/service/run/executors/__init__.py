"""Chooses where matches are played, and plays them there."""
