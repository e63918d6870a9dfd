"""Executors, which play the matches of a tournament."""
