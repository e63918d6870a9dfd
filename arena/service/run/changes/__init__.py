"""Changes a tournament that is under way, or plays parts of it again."""
