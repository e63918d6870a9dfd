"""Defines the tables of a database, their rows, and what a row holds packed."""
