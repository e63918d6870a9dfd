"""Keeps a key in the kernel's key rings, where its other processes could read it. It plays on."""

import ctypes
import os

from arena import Bot

ADD_KEY, KEYCTL = {"x86_64": (248, 250), "aarch64": (217, 219)}[os.uname().machine]
SESSION, USER, GET_ID = -3, -4, 0


class KeepsKeys(Bot):
    def start(self, context):
        call = ctypes.CDLL(None, use_errno=True).syscall
        for ring in (SESSION, USER):
            if call(ADD_KEY, b"user", b"arena-hostile", b"hand", 4, ring) >= 0:
                raise RuntimeError("GOT: a key")
            if call(KEYCTL, GET_ID, ring, 1) >= 0:
                raise RuntimeError("GOT: a key ring")

    def act(self, observation):
        return observation.legal_actions[0]
