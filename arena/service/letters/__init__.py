"""Letters to the authors of bots: about their submissions, and about tournaments."""
