"""Stores submitted bots and their authors."""
