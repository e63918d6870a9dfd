"""Sends hundreds of descriptors over the wire, for the harness to run out of them.

Where such messages are stopped it plays on; else the empty frames with them break the protocol.
"""

import array
import contextlib
import os
import socket
import stat

from arena import Bot


def wire():
    """The descriptor on which our runtime answers the harness."""
    for number in range(3, 256):
        try:
            mode = os.fstat(number).st_mode
        except OSError:
            continue
        if stat.S_ISSOCK(mode) or stat.S_ISFIFO(mode):
            return number
    raise LookupError("no wire was found")


class SendsDescriptors(Bot):
    def act(self, observation):
        rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [wire()] * 200))]
        with (
            contextlib.suppress(PermissionError),
            socket.socket(fileno=os.dup(wire())) as talk,
        ):
            for _ in range(20):
                talk.sendmsg([bytes(4)], rights)
        return observation.legal_actions[0]
