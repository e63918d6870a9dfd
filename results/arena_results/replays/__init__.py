"""Replays of records, as the public, one seat, or an all-seeing onlooker sees them."""
