"""Builds submitted programs from their source: in a box without network, with limits of its own."""
