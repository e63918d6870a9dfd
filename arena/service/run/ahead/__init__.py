"""Computes before a run its time, its cost, and the matches that it needs."""
