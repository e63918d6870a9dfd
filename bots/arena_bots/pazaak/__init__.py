"""Built-in bots for Pazaak."""
