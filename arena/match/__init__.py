"""Floor 1: the match loop; it knows no game and does no I/O."""
