"""Reads, checks and cleans text that people write."""
