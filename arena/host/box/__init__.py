"""The box: isolates a bot's process from everything but its game."""
