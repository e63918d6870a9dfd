"""Floor 0: the words every other floor speaks. Pure: no I/O, no clock, no global randomness."""
