"""Reads submitted bots without running them."""
