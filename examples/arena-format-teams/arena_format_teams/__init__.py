"""Tournaments of teams for Arena, as a package of its own."""
