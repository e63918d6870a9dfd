"""Computes intervals, quantiles and ranks."""
