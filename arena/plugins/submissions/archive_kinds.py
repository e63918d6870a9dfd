"""The kinds of archives, by their first bytes: those that are read, and those that are named."""

from __future__ import annotations

import msgspec

ACCEPTED = "a .py file, a folder, a .zip or .tar.gz archive of one, or a wheel"
"""The kinds of submissions, for messages."""
SENT = "a .py file, a .zip or .tar.gz archive of a folder, or a wheel"
"""The kinds of them that are one file, which a browser can send."""


class ArchiveKind(msgspec.Struct, frozen=True):
    """A kind of archives.

    Attributes:
        name: Its name, for messages.
        begins: The bytes by which files of it are recognised.
        endings: How their names end.
        at: Place of these bytes in a file.
    """

    name: str
    begins: tuple[bytes, ...]
    endings: tuple[str, ...]
    at: int = 0


ZIP = ArchiveKind("zip", (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08"), (".zip", ".whl", ".egg"))
GZIP = ArchiveKind("gzip", (b"\x1f\x8b",), (".tar.gz", ".tgz", ".gz"))
TAR = ArchiveKind("tar", (b"ustar",), (".tar",), at=257)
KINDS = (
    ZIP,
    GZIP,
    ArchiveKind("7z", (b"7z\xbc\xaf\x27\x1c",), (".7z",)),
    ArchiveKind("RAR", (b"Rar!\x1a\x07", b"RE\x7e\x5e"), (".rar",)),
    ArchiveKind("xz", (b"\xfd7zXZ\0",), (".xz", ".txz")),
    ArchiveKind("bzip2", (b"BZh",), (".bz2", ".tbz2", ".tbz")),
    ArchiveKind("zstd", (b"\x28\xb5\x2f\xfd",), (".zst", ".tzst")),
    ArchiveKind("lzip", (b"LZIP",), (".lz", ".tlz")),
    ArchiveKind("LZMA", (b"\x5d\0\0",), (".lzma",)),
    ArchiveKind("LZ4", (b"\x04\x22\x4d\x18",), (".lz4",)),
    ArchiveKind("compress", (b"\x1f\x9d",), (".tar.z",)),
    ArchiveKind("cabinet", (b"MSCF",), (".cab",)),
    ArchiveKind("LHA", (b"-lh", b"-lz"), (".lzh", ".lha"), at=2),
    ArchiveKind("ACE", (b"**ACE**",), (".ace",), at=7),
    ArchiveKind("ARJ", (b"\x60\xea",), (".arj",)),
    ArchiveKind("ar", (b"!<arch>\n",), (".deb",)),
    ArchiveKind("RPM", (b"\xed\xab\xee\xdb",), (".rpm",)),
    TAR,
)
"""All kinds; zip archives, and tar archives with gzip or alone, are read."""
_ENDINGS = tuple(ending for kind in KINDS for ending in kind.endings)
_MAX_START = max(kind.at + len(start) for kind in KINDS for start in kind.begins)


def kind_of(data: bytes) -> ArchiveKind | None:
    """Returns the kind of an archive by its content, whatever its name; ``None`` for none."""
    start = data[:_MAX_START]
    return next((kind for kind in KINDS if start.startswith(kind.begins, kind.at)), None)


def has_archive_name(path: str) -> bool:
    """Returns whether the name of a file ends as those of archives do."""
    return path.lower().endswith(_ENDINGS)


def without_archive_ending(name: str) -> str:
    """Returns the name of an archive without its ending, be it ``.tar.gz``."""
    ending = next((each for each in _ENDINGS if name.lower().endswith(each)), "")
    return name[: len(name) - len(ending)]
