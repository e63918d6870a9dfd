"""Results: what was played, ratings, leaderboards."""
