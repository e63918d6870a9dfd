"""Writes reports as files for others, and checks such files."""
