"""House bots for Pazaak."""
