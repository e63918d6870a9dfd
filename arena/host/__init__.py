"""Floor 3: where the code of bots runs."""
