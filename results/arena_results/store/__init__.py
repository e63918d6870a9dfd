"""Stores tournaments and reads them."""
