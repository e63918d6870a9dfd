"""Plays matches of bots in processes."""
