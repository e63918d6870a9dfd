"""Seats a person or an agent: single matches and careers."""
