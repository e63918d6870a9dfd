"""Rating mathematics: pure functions of results. No store, no clock, no files."""
