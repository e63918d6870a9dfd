"""Checks whole Tournament Report Files: records, points, ranks, byes, colours, and each pairing."""
