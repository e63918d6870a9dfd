"""Raises when it is imported. It must be refused, with what it raised."""

from arena import Bot

raise ValueError("not today")


class RaisesAtImport(Bot):
    pass
