"""Takes all memory when it is imported. It must be refused."""

from arena import Bot

HOARD = []
while True:
    HOARD.append(bytearray(b"\1") * (16 << 20))


class HoardsAtImport(Bot):
    pass
