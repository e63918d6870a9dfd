"""Keeps a site within its settings: limits, pace, and errors in one form."""
