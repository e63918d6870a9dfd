"""Takes the entries of a class or a club on the day of its event."""
