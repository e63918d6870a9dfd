"""The types that every other layer uses. Pure: no I/O, no clock, no global randomness."""
