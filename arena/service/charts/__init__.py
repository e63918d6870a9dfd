"""Computes charts as values."""
