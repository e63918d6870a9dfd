"""Sends hundreds of descriptors over the wire, for the harness to run out of them.

Where such messages are stopped it plays on; else the empty frames with them break the protocol.
"""

import array
import contextlib
import os
import socket

from arena import Bot
from tests.isolation.wire import wire


class SendsDescriptors(Bot):
    def act(self, observation):
        rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [wire()] * 200))]
        with contextlib.suppress(PermissionError), socket.socket(fileno=os.dup(wire())) as talk:
            for _ in range(20):
                talk.sendmsg([bytes(4)], rights)
        return observation.legal_actions[0]
