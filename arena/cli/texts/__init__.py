"""Writes answers that are no table: reports, brackets, charts."""
