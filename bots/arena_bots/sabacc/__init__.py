"""Built-in bots for Sabacc."""
