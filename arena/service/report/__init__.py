"""Reports a tournament as values."""
