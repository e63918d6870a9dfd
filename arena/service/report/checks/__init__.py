"""Checks stored results: verification and collusion."""
