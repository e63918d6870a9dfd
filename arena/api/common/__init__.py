"""Declares what all functions share: keys, callbacks, and values as they are shown."""
