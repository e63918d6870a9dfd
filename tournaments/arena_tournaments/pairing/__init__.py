"""Computes parts of pairings that several formats use."""
