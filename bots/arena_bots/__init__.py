"""House bots: one idea per file, its source cited."""
