"""Search bots, which use the core contract alone and so play any game."""
