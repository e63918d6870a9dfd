"""Reads one stored match: replay, luck, analysis, odds. Seats a person."""
