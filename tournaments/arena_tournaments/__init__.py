"""Formats, standings and the runner of tournaments."""
