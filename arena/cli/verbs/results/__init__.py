"""Commands that show stored results."""
