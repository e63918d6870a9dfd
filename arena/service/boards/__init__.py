"""Computes leaderboards and their history."""
