"""Floor 2: the hooks and registry by which games, bots and formats are added, our own included."""
