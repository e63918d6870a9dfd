"""Settings, limits, security and lists, which every route of the site needs."""
