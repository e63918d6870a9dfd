"""Rates bots: a module for each rating system."""
