"""The tests: their helpers are imported as ``tests.<folder>.<module>``."""
