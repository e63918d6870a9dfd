"""Floor 1: the match loop, which depends on no game and does no I/O."""
