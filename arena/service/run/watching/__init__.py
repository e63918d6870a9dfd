"""Tells what a running tournament does: progress, events, and what crashed."""
