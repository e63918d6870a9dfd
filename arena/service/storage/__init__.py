"""Opens databases and bundles."""
