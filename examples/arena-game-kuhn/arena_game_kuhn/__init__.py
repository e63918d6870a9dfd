"""Kuhn poker for Arena, as a package of its own."""
