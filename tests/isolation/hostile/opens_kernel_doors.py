"""Tries system calls that have a history of holes: bpf, perf, userfaultfd, modules. It plays on."""

import ctypes
import os

from arena import Bot

NUMBERS = {
    "x86_64": {"bpf": 321, "perf_event_open": 298, "userfaultfd": 323, "fanotify_init": 300,
               "inotify_init1": 294, "personality": 135, "quotactl": 179, "name_to_handle_at": 303},
    "aarch64": {"bpf": 280, "perf_event_open": 241, "userfaultfd": 282, "fanotify_init": 262,
                "inotify_init1": 26, "personality": 92, "quotactl": 60, "name_to_handle_at": 264},
}[os.uname().machine]  # fmt: skip


class OpensKernelDoors(Bot):
    def start(self, context):
        call = ctypes.CDLL(None, use_errno=True).syscall
        space = ctypes.create_string_buffer(256)
        arguments = {
            "bpf": (0, space, 72),
            "perf_event_open": (space, 0, -1, -1, 0),
            "userfaultfd": (1,),
            "fanotify_init": (0, 0),
            "inotify_init1": (0,),
            "personality": (0x0040000,),
            "quotactl": (0x800001 << 8, None, 0, space),
            "name_to_handle_at": (-100, b"/", space, space, 0),
        }
        for name, number in NUMBERS.items():
            ctypes.set_errno(0)
            if call(number, *arguments[name]) >= 0:
                raise RuntimeError(f"GOT: {name}")

    def act(self, observation):
        return observation.legal_actions[0]
