"""Rates results from files, and tests whether a difference is real."""
