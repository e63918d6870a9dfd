"""A seat at the table for an agent, by the Model Context Protocol (``arena mcp``, extra: mcp)."""
