"""Fits strengths to results, all at once."""
