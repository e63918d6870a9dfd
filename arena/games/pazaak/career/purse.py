"""The purse of a career, which commands read before they load the game."""

PURSE = 100
"""Credits with which a career begins."""
