"""Attacks a confined process to show what it cannot do."""
