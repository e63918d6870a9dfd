"""Defines the keys of a tournament."""
