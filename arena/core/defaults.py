"""Defaults of checks, for the harness, its interfaces and the fixtures of authors alike."""

REDEALS = 10_000
"""Worlds that the check of a game deals again."""
CHECK_MATCHES = 20
"""Matches of each of the two runs in the check of a bot."""
