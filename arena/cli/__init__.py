"""The roof: one verb of the command line per file."""
