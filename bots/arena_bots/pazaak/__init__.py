"""House bots that know Pazaak."""
