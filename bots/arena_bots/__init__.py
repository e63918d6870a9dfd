"""Built-in bots, one strategy a file with its source cited."""
