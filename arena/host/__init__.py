"""Where the code of bots runs."""
