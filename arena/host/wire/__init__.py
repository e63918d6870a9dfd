"""Messages between the harness and a bot, and their encodings."""
