"""Writes and reads bundles: files that hold one tournament."""
