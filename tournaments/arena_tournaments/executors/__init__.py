"""Where the matches of a tournament run."""
