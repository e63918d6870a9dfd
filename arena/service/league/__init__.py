"""Runs a league: its file, queue and tokens."""
