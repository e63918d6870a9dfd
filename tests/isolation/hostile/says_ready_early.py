"""Says while it is imported that it is ready, and is never done with being imported.

It must lose by timeout or by the protocol as soon as it is asked something.
"""

import os

import msgspec

from arena import Bot
from tests.isolation.wire import wire

READY = msgspec.msgpack.encode({"protocol": 1, "name": "ready", "batch": 4096})
os.write(wire(), len(READY).to_bytes(4, "little") + READY)
while True:
    pass


class SaysReadyEarly(Bot):
    pass
