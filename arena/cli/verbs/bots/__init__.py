"""Commands for authors: list, check and submit bots."""
