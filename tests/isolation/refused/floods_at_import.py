"""Prints without end when it is imported. It must be refused, and little of it kept."""

from arena import Bot

while True:
    print("all work and no play makes a dull bot " * 100)


class FloodsAtImport(Bot):
    pass
