"""Turns a spec into field, format and schedule."""
