"""House bots that know Sabacc."""
