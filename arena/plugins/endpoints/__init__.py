"""Bots that are endpoints of language models: their files."""
