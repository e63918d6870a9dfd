"""Commands that read results from files."""
