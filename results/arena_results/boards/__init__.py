"""Makes leaderboards of stored results."""
