"""The process that reads a file before a league takes it: the file on stdin, its facts on stdout.

It is a process of its own, so that a malicious file cannot harm the server, and loads little, since
the sender waits.
"""

from __future__ import annotations

import os
import resource
import sys
from collections.abc import Callable
from pathlib import Path, PurePath
from typing import TypeVar

import msgspec

from arena.core.described import described
from arena.core.errors import BadInput, BadStore, HarnessFault
from arena.core.text.printable import printable_line, without_folders
from arena.plugins.submissions.archives import MAX_BYTES, MAX_FILES, TooBig
from arena.plugins.submissions.submission import read_package
from arena.service.answers.errors import NO_ROOM, DiskFull
from arena.service.answers.scratch import scratch_folder

A = TypeVar("A")
T = TypeVar("T")
MACHINE_FAILED = os.EX_TEMPFAIL
"""Exit code of a process that could not do its work here and now; stderr says why."""
READ_BYTES = 768 << 20
"""Address space of the process: a small file may become a large tree of objects."""
READ_CPU_SECONDS = 10
"""Processor time that the reading of one submission may take, with all of its files."""


UNTELLING = "bot"
"""The folder that holds a file while it is read: a bot in it is not named after it."""


class SentFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file with the name under which it was sent.

    Attributes:
        most_files: Files that the league allows, which a refusal names if it is the lower limit.
        most_mb: The same for megabytes.
    """

    file: str
    content: bytes
    most_files: int = MAX_FILES
    most_mb: int = MAX_BYTES // 1_000_000


class FileFacts(msgspec.Struct, frozen=True, kw_only=True):
    """The facts by which a league admits a bot.

    Attributes:
        refused: Why it cannot be read; empty if it can.
        name: Name of the bot.
        files: Number of its files.
        size: Their bytes, unpacked.
    """

    refused: str = ""
    name: str = ""
    files: int = 0
    size: int = 0


def read_facts(sent: SentFile) -> FileFacts:
    """Reads what an author sent; none of its code runs."""
    with scratch_folder() as folder:
        path = folder / UNTELLING / safe_name(sent.file)
        path.parent.mkdir()
        path.write_bytes(sent.content)
        try:
            package = read_package(str(path))
        except TooBig as error:
            return FileFacts(refused=_beyond(sent, error) or reason(error, path))
        except (BadInput, HarnessFault) as error:
            return FileFacts(refused=reason(error, path))
    size = sum(map(len, package.files.values()))
    return FileFacts(name=package.name, files=len(package.files), size=size)


def _beyond(sent: SentFile, error: TooBig) -> str:
    most_mb = MAX_BYTES // 1_000_000
    if error.by_number and sent.most_files < MAX_FILES:
        return f"it has more than {MAX_FILES} files; at most {sent.most_files} are allowed"
    if not error.by_number and sent.most_mb < most_mb:
        return f"it has more than {most_mb} MB unpacked; at most {sent.most_mb} MB are allowed"
    return ""


def safe_name(file: str) -> str:
    """Returns the last part of a file's name, which decides how it is read."""
    name = PurePath(file.replace("\\", "/")).name
    return name if name not in ("", ".", "..") and name.isprintable() and len(name) < 200 else "bot"


def reason(error: Exception, path: Path) -> str:
    """Returns an error's message without folders, which mean nothing to the author."""
    return printable_line(without_folders(str(error).replace(f"{path.parent}/", "")))


def unless_the_machine_fails(work: Callable[[A], T], given: A) -> T:
    """Returns what work on an upload gives; ends the process with ``MACHINE_FAILED`` otherwise.

    A full disk or a database that cannot be used is nothing that an author did.
    """
    try:
        return work(given)
    except (BadStore, DiskFull) as error:
        problem = str(error)
    except OSError as error:
        if error.errno not in NO_ROOM:
            raise
        problem = str(error)
    sys.stderr.write(printable_line(problem))
    sys.exit(MACHINE_FAILED)


def main() -> None:
    """Reads the file of stdin."""
    sent = msgspec.msgpack.decode(sys.stdin.buffer.read(), type=described(SentFile))
    resource.setrlimit(resource.RLIMIT_AS, (READ_BYTES, READ_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (READ_CPU_SECONDS, READ_CPU_SECONDS + 1))
    found = unless_the_machine_fails(read_facts, sent)
    sys.stdout.write(msgspec.json.encode(found).decode())


if __name__ == "__main__":
    main()
