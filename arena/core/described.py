"""Has msgspec describe types before threads use them.

msgspec describes a type of ours at its first use, and keeps that. Another thread that uses the type
meanwhile gets the description half made, and the process ends by SIGSEGV (seen with msgspec 0.22).
"""

from __future__ import annotations

import threading
from typing import TypeVar

import msgspec

T = TypeVar("T")
_DESCRIBING = threading.Lock()
"""Held by the thread that describes a type."""


def described(kind: T) -> T:
    """Returns a type, once msgspec has all of its description.

    Whatever is decoded or converted to a type of ours goes through this.

    Raises:
        TypeError: msgspec can decode nothing to it.
        NameError: Its annotations name something that is not there.
    """
    with _DESCRIBING:
        msgspec.msgpack.Decoder(kind)
    return kind
