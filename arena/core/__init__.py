"""Floor 0: the types that every other floor uses. Pure: no I/O, no clock, no global randomness."""
