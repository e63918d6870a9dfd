"""Takes memory until there is no more. It must lose by memory, or by crash where it gets none."""

from player import play


def decide(message):
    hoard = []
    while True:
        hoard.append(bytes(8 << 20))


play(decide)
