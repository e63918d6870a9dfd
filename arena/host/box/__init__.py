"""The box: how a bot's process is kept from everything but its game."""
