"""Contracts of tournaments: formats, rating systems, executors, decisions of the organiser."""
