"""Pazaak: the whole rule book for two seats."""
