"""Plays matches on a Ray cluster."""
