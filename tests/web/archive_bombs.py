"""Archives that harm whoever unpacks them without care, small to send."""

from __future__ import annotations

import io
import stat
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterable, Mapping

BOT = b"""
from arena import Bot


class Careful(Bot):
    game = "pazaak"

    def act(self, observation):
        return observation.legal_actions[1]
"""
MEGABYTE = 1_000_000


def packed(files: Iterable[tuple[str | zipfile.ZipInfo, bytes]]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files:
            archive.writestr(name, content, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def zeros(megabytes: int) -> bytes:
    return packed([("bot.py", BOT), ("data", bytes(megabytes * MEGABYTE))])


def nested(depth: int) -> bytes:
    """An archive within an archive, and so on, of zeros."""
    found = zeros(20)
    for level in range(depth):
        found = packed([("bot.py", BOT), (f"{level}.zip", found)])
    return found


def link(name: str, target: str) -> bytes:
    about = zipfile.ZipInfo(name)
    about.external_attr = (stat.S_IFLNK | 0o777) << 16
    return packed([("bot.py", BOT), (about, target.encode())])


def overlapping(files: int, megabytes: int) -> bytes:
    """Files within each other: each holds the header and the content of the next one.

    A deflate block that is stored quotes the header (D. Fifield, A better zip bomb, WOOT 2019).
    """
    content = bytes(megabytes * MEGABYTE)
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
    data, size, crc = deflate.compress(content) + deflate.flush(), len(content), zlib.crc32(content)
    entries = list[tuple[bytes, bytes, int]]()
    for number in range(files):
        name = f"{number:04}".encode()
        values = struct.pack("<5H3L2H", 20, 0, 8, 0, 33, crc, len(data), size, len(name), 0)
        header = b"PK\3\4" + values + name
        entries.append((name, values, len(data)))
        quoted = header
        whole = header + data
        data = struct.pack("<B2H", 0, len(quoted), len(quoted) ^ 0xFFFF) + whole
        content = quoted + content
        size, crc = len(content), zlib.crc32(content)
    directory = b"".join(
        b"PK\1\2" + struct.pack("<H", 20) + values + struct.pack("<3H2L", 0, 0, 0, 0, place) + name
        for name, values, place in placed(entries, whole)
    )
    end = struct.pack("<4H2LH", 0, 0, files, files, len(directory), len(whole), 0)
    return whole + directory + b"PK\5\6" + end


def placed(
    entries: Iterable[tuple[bytes, bytes, int]], whole: bytes
) -> Iterable[tuple[bytes, bytes, int]]:
    """Yields names and fields of files with the places of their headers, which end alike."""
    for name, values, length in entries:
        header = len(b"PK\3\4" + values + name)
        yield name, values, len(whole) - length - header


def lying(declared: int) -> bytes:
    """An archive whose directory declares another size than its content has."""
    found = bytearray(zeros(26))
    at = found.rindex(b"PK\1\2")
    struct.pack_into("<L", found, at + 24, declared)
    return bytes(found)


def encrypted() -> bytes:
    found = bytearray(packed([("bot.py", BOT)]))
    for mark, place in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        at = found.index(mark) + place
        found[at] |= 1
    return bytes(found)


BOMBS: Mapping[str, tuple[Callable[[], bytes], str]] = {
    "26 MB": (lambda: zeros(26), "is too big: a submission has at most"),
    "200 MB": (lambda: zeros(200), "is too big: a submission has at most"),
    "5,000 files": (
        lambda: packed((f"{n}", b"") for n in range(5_000)),
        "it has more than 2000 files; at most 200 are allowed",
    ),
    "201 files": (
        lambda: packed([("bot.py", BOT), *((f"{n}.txt", b"") for n in range(200))]),
        "it has 201 files; at most 200 are allowed",
    ),
    "overlapping": (
        lambda: overlapping(50, 5),
        ".zip is ",
    ),  # too big, or no archive: newer Pythons see it
    "a path outside": (
        lambda: packed([("bot.py", BOT), ("../../x", b"x")]),
        "a path that leads out of it",
    ),
    "an absolute path": (lambda: packed([("/etc/cron.d/x", b"x")]), "a path that leads out of it"),
    "a symbolic link": (lambda: link("data", "/etc/passwd"), "data, a link or a device"),
    "a size too small": (lambda: lying(10), "unreadable archive"),
    "a size too large": (lambda: lying(0xFFFFFFF0), "is too big"),
    "truncated": (lambda: zeros(26)[:-40], "unreadable archive: File is not a zip file"),
    "cut in the middle": (lambda: packed([("bot.py", BOT)])[60:], "expected an archive"),
    "encrypted": (lambda: encrypted(), "is encrypted; pack it without"),
    "no archive": (lambda: b"PK\3\4" + bytes(1000), "unreadable archive"),
}
"""Each bomb by name: a function that makes it, and a part of the line that refuses it."""
