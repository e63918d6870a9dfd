"""Search bots: they know the core contract alone, so they play any game."""
