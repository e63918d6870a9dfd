"""Writes files, also in its own folder, which its next process would find. It plays on."""

import os
from pathlib import Path

from player import got, play

FOLDERS = (Path(__file__).resolve().parent, Path.cwd(), Path("/tmp"), Path("/dev/shm"))


def found():
    for folder in FOLDERS:
        try:
            (folder / "arena-hostile-marker-of-a-program").write_text("x")
        except OSError:
            continue
        return f"a file in {folder}"
    try:
        os.chmod(__file__, 0o777)
    except OSError:
        return None
    return "the rights of its own file"


play(lambda message: got(message, found()))
