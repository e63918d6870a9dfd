"""Checks, submits and lists bots and games."""
