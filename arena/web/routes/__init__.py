"""Answers requests, one module per subject."""
