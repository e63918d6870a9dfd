"""Holds the commands, a module for each."""
