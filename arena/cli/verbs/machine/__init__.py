"""Commands for games, databases and the machine."""
