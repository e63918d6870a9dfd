"""Adds up results: points, counts, streaks, and how sure the ranks are."""
