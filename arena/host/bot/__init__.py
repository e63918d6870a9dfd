"""Runs a bot and collects its output."""
