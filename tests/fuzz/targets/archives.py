"""Submissions: wheels, folders with a project file, and single files; nothing of them runs."""

from __future__ import annotations

import gzip
import tarfile
import warnings
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path

from arena.plugins.dependencies import check_requirements
from arena.plugins.submissions.archive_reading import zip_files
from arena.plugins.submissions.archives import packed
from arena.plugins.submissions.submission import read_package
from tests.fuzz.fuzzing import Run, Target

CODE = b'''"""A bot."""
from arena import Bot
__version__ = "1.0"
__author__ = "Ann"
__license__ = "MIT"
class Careful(Bot):
    games = ("pazaak",)
    def act(self, observation):
        return observation.legal_actions[0]
'''
ABOUT = b"""Metadata-Version: 2.4
Name: careful
Version: 1.0
Author: Ann
License-Expression: MIT
Requires-Dist: arena-harness
Requires-Dist: numpy>=2; extra == "fast"

A careful bot.
"""
MEMBERS = {
    b"careful/__init__.py": CODE,
    b"careful-1.0.dist-info/METADATA": ABOUT,
    b"careful-1.0.dist-info/entry_points.txt": b"[arena.bots]\ncareful = careful:Careful\n",
}
PROJECTS = (
    b"""[project]
name = "careful"
version = "1.0"
license = {text = "MIT"}
authors = [{name = "Ann", email = "ann@example.org"}]
dependencies = ["arena-harness>=0.1"]
[project.entry-points."arena.bots"]
careful = "bot:Careful"
""",
    b"""[project]
name = "careful"
version = "2"
license = "MIT"
[tool.arena.bot]
command = ["node", "bot.js", "--fast"]
games = ["pazaak"]
language = "javascript"
""",
    b"""[project]
name = "built"
version = "3"
[tool.arena.bot]
build = [["cc", "-o", "bot", "bot.c"], ["./bot", "x"]]
command = ["./bot"]
""",
)
BETWEEN = b"\n----8<----\n"
PIECES = (
    *(b"L", b"x", b"g", b"S", b"\x80", b"\xff" * 12, b"30 mtime=1\n", b"ustar\x0000", b"\x1f\x8b"),
    *(b"../", b"/", b"\\", b"PK\x03\x04", b"PK\x01\x02", b"PK\x05\x06", BETWEEN, b"__pycache__/"),
    *(b"Requires-Dist: ;;;;", b"=?utf-8?b?/w==?=", b"\n ", b"[arena.bots]\n", b"bot = a.b:C [x]\n"),
    *(b" " * 3_000, b"(" * 150, b"-" * 3_000, b"class Bot(Bot):", b"lambda " * 200, b"f'{x!r}'"),
    *(
        b"from arena import Bot as B\n",
        b"games = 1,\n",
        b"match x:\n case 1: pass\n",
        b"\xef\xbb\xbf",
    ),
    *(b"# coding: utf-7\n", b"# coding: nonsense\n"),
    *(b"match x:\n case 1: pass\n", b"# coding: rot13\n", b"+".join([b"1"] * 900)),
)


def zipped(members: dict[bytes, bytes], how: int) -> bytes:
    """A zip archive; names are written as they are, whatever bytes they hold."""
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", how) as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of two members of one name
        for name, content in members.items():
            archive.writestr(zipfile.ZipInfo(name.decode("utf-8", "replace") or "x"), content, how)
    return buffer.getvalue()


WHEEL = "careful-1.0-py3-none-any.whl"


@contextmanager
def wheels(folder: Path) -> Iterator[Run]:
    """Wheels of any bytes."""
    wheel = folder / WHEEL

    def read(data: bytes) -> None:
        wheel.write_bytes(data)
        read_package(str(wheel))

    yield read


@contextmanager
def archives(folder: Path) -> Iterator[Run]:
    """Zip archives of folders, of any content as wheels are."""
    archive = folder / "careful.zip"

    def read(data: bytes) -> None:
        parts = [member.partition(b"\n") for member in data.split(BETWEEN)]
        files = {name: content for name, _, content in parts}
        archive.write_bytes(zipped(files, zipfile.ZIP_STORED))
        package = read_package(str(archive))
        assert zip_files("again", packed(package.files)) == package.files

    yield read


@contextmanager
def tars(folder: Path) -> Iterator[Run]:
    """Tar archives of any bytes, as they are and packed."""
    archive = folder / "careful.tar.gz"

    def read(data: bytes) -> None:
        for content in (data, gzip.compress(data, 1)):
            archive.write_bytes(content)
            package = read_package(str(archive))
            assert zip_files("again", packed(package.files)) == package.files

    yield read


@contextmanager
def members(folder: Path) -> Iterator[Run]:
    """Wheels of any content: names and members, each after a line of its own."""
    wheel = folder / WHEEL

    def read(data: bytes) -> None:
        parts = [member.partition(b"\n") for member in data.split(BETWEEN)]
        wheel.write_bytes(zipped({name: content for name, _, content in parts}, zipfile.ZIP_STORED))
        package = read_package(str(wheel))
        check_requirements(package.name, package.requires, ["numpy"])
        assert zip_files("again", packed(package.files)) == package.files
        for word in (package.name, package.version, package.author, package.licence):
            assert word.isprintable()
            assert len(word) <= 200

    yield read


@contextmanager
def projects(folder: Path) -> Iterator[Run]:
    """Folders whose ``pyproject.toml`` is of any bytes."""
    (folder / "bot.py").write_bytes(CODE)
    (folder / "bot.js").write_text("")

    def read(data: bytes) -> None:
        (folder / "pyproject.toml").write_bytes(data)
        package = read_package(str(folder))
        check_requirements(package.name, package.requires, ["numpy"])

    yield read


@contextmanager
def files(folder: Path) -> Iterator[Run]:
    """Bot files of any bytes."""
    file = folder / "careful.py"

    def read(data: bytes) -> None:
        file.write_bytes(data)
        read_package(str(file))

    yield read


def whole_wheels() -> list[bytes]:
    return [zipped(MEMBERS, how) for how in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)]


def whole_tars() -> list[bytes]:
    buffers = []
    for form in (tarfile.GNU_FORMAT, tarfile.PAX_FORMAT):
        buffer = BytesIO()
        with tarfile.open(fileobj=buffer, mode="w", format=form) as archive:
            for name, content in {"bot.py": CODE, "a" * 150: b"1", "ö": b"2"}.items():
                about = tarfile.TarInfo(f"careful/{name}")
                about.size = len(content)
                archive.addfile(about, BytesIO(content))
        buffers.append(buffer.getvalue())
    return buffers


def contents_of_wheels() -> list[bytes]:
    return [BETWEEN.join(name + b"\n" + content for name, content in MEMBERS.items())]


def contents_of_folders() -> list[bytes]:
    return [
        BETWEEN.join((top + b"bot.py\n" + CODE, top + b"pyproject.toml\n" + project))
        for top, project in zip((b"", b"careful/", b"built/bot/"), PROJECTS, strict=True)
    ]


TARGETS = (
    Target(name="zipped-folders", seeds=contents_of_folders, open=archives, pieces=PIECES),
    Target(name="tars", seeds=whole_tars, open=tars, pieces=PIECES),
    Target(name="wheels", seeds=whole_wheels, open=wheels, pieces=PIECES),
    Target(name="members-of-wheels", seeds=contents_of_wheels, open=members, pieces=PIECES),
    Target(name="project-files", seeds=lambda: PROJECTS, open=projects, pieces=PIECES),
    Target(name="bot-files", seeds=lambda: [CODE], open=files, pieces=PIECES),
)
