"""Finds bots by name, and settles the isolation of a run."""
