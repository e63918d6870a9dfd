"""Draws cards and seeds."""
