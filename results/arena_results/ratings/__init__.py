"""Rating mathematics as pure functions of results, without store, clock or files."""
