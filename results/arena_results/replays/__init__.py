"""Replays: one record, seen by the public, by one seat, or by somebody who sees everything."""
