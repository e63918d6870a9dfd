"""The match loop, which depends on no game and does no I/O."""
