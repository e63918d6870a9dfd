"""Scores a field and ranks it: points, tie-breaks, crosstables."""
