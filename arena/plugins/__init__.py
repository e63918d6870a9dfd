"""Floor 2: how games, bots and formats come in; our own use the same doors as a stranger's."""
