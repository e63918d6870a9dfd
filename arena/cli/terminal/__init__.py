"""Talks to a terminal: streams, signals, tables, options."""
