"""The host runs the code of bots."""
