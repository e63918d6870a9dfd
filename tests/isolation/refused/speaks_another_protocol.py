"""Says while it is imported that it speaks another version of the protocol. It must be refused."""

import os
import stat

import msgspec

from arena import Bot

READY = msgspec.msgpack.encode({"protocol": 99})
for number in range(3, 256):
    try:
        mode = os.fstat(number).st_mode
    except OSError:
        continue
    if stat.S_ISSOCK(mode):
        os.write(number, len(READY).to_bytes(4, "little") + READY)


class SpeaksAnotherProtocol(Bot):
    pass
