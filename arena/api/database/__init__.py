"""Opens a database of results, with its lists, verbs and site."""
