"""House bots for Sabacc."""
