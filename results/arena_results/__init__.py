"""Stores results and computes ratings and leaderboards from them."""
