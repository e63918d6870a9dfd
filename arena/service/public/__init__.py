"""Selects what anybody may see, and exports it."""
