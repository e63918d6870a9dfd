"""Sabacc in words: the rules of a ruleset, and positions as a seat sees them."""
