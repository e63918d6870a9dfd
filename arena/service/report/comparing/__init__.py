"""Compares bots by a report, and says the verdict in words."""
