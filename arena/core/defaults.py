"""Defaults of checks, for the harness, its faces and the fixtures of authors alike."""

REDEALS = 10_000
"""Worlds that the check of a game deals anew."""
CHECK_MATCHES = 20
"""Matches of each of the two runs in the check of a bot."""
