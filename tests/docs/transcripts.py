"""The transcripts of the tutorials and how-tos: their commands, run in the order of the page.

A page is followed in a folder of its own. A block whose first line is a comment with the name of a
file (``# my_bot.py``) is written to that file. In a block ``console`` every line that begins with
``$`` is a command, and what follows is what it writes to stdout and stderr. One that ends with
``&`` is a server: it writes a line once it listens, and ends with the page.

``python -m tests.docs.transcripts`` runs all pages and writes anew what has changed.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

from tests.cli.in_process import run_in_process

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("docs/tutorials/*.md"), *ROOT.glob("docs/howto/*.md")])
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.M | re.S)
FILE = re.compile(r"(?:#|//) ([\w./-]+\.\w+)\n")
WIDTH = "100"
NOT_SHOWN = re.compile(r"^(?:WARNING: untrusted bots|round \d+/\d+ ).*\n", re.M)
"""Lines about progress, and about machines that can confine less."""
CHANGING = (
    (re.compile(r"\b(boxed|confined|process)\b"), "boxed"),  # what the machine can do
    (re.compile(r"\b\d[\d.,]* (s|ms|matches/s)\b"), r"1 \1"),
    (re.compile(r"\b[0-9a-f]{32,}\b"), "0f"),
    (re.compile(r"\b\d{4}-\d\d-\d\d \d\d:\d\d\b"), "2026-12-20 18:00"),
    (re.compile(r" +"), " "),  # columns are as wide as their texts
    (re.compile(r"─+"), "─"),
    (re.compile(r" +$", re.M), ""),
)
"""Patterns of all that differs between runs or machines, and the text compared in its place."""


def comparable(text: str) -> str:
    """Returns a block without what differs from run to run."""
    for pattern, instead in CHANGING:
        text = pattern.sub(instead, text)
    return text


class Reader:
    """A reader who follows a page from its beginning to its end, in a folder of their own."""

    def __init__(self, folder: Path) -> None:
        self.folder = self.place = folder
        path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
        self.environment = {"PATH": path, "HOME": str(folder), "COLUMNS": WIDTH, "TERM": "dumb"}
        self.servers = ExitStack()
        """Ends the processes that the page has started."""
        shutil.copytree(ROOT / "examples", folder / "examples")

    def follow(self, page: str) -> str:
        """Does what the page says; returns it with what the commands wrote now."""
        return BLOCK.sub(self._block, page)

    def _block(self, block: re.Match[str]) -> str:
        kind, text = block.groups()
        named = FILE.match(text)
        if kind == "console":
            text = "".join(map(self._transcript, re.findall(r"^\$ (?:.*\\\n)*.*\n", text, re.M)))
        elif named:
            path = self.place / named[1]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
        return f"```{kind}\n{text}```"

    def _transcript(self, line: str) -> str:
        command = line.removeprefix("$ ").replace("\\\n", " ").strip()
        first, *rest = command.split(" | ", 1)
        words = shlex.split(first, comments=True)
        if words[0] == "cd":
            self.place = self.place / words[1]
            return line
        if words[-1] == "&":
            return line + self._started(words[:-1])
        if words[:2] == ["pip", "install"]:
            return line + self._installed(words[2])
        if words[0] == "arena":
            together = not rest  # of a pipe stdout goes into it, and stderr to the terminal
            run = run_in_process(words[1:], self.place, self.environment, together=together)
            shown, errors = (
                NOT_SHOWN.sub("", each).replace(str(self.folder), "~") for each in run[1:]
            )
        else:
            shown, errors = self._shell(first), ""
        return line + errors + (self._shell(rest[0], shown) if rest else shown)

    def _started(self, words: list[str]) -> str:
        """Starts a server; returns its first line."""
        process = subprocess.Popen(
            words, cwd=self.place, env=self.environment, stdout=subprocess.PIPE, text=True
        )
        self.servers.enter_context(process)
        self.servers.callback(process.kill)
        assert process.stdout is not None
        return process.stdout.readline()

    def _installed(self, project: str) -> str:
        """Installs an extension into the folder of the page, where ``arena`` finds it."""
        site = self.folder / "site"
        options = "--quiet --disable-pip-version-check --no-deps --no-build-isolation --no-index"
        pip = (sys.executable, "-m", "pip", "install", *options.split(), "--target", str(site))
        subprocess.run((*pip, project), cwd=self.place, check=True)
        self.environment["PYTHONPATH"] = str(site)
        return ""

    def _shell(self, command: str, given: str = "") -> str:
        return subprocess.run(
            ("sh", "-c", command),
            input=given,
            cwd=self.place,
            env=self.environment,
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        ).stdout


def followed(page: Path) -> str:
    """Returns a page with the transcripts of now, where they differ from those that it has."""
    shown = page.read_text("utf-8")
    with tempfile.TemporaryDirectory(prefix="arena-docs-") as folder:
        reader = Reader(Path(folder))
        with reader.servers:
            now = reader.follow(shown)
    blocks = BLOCK.finditer(now)

    def kept(old: re.Match[str]) -> str:
        new = next(blocks)[0]
        return old[0] if comparable(old[0]) == comparable(new) else new

    return BLOCK.sub(kept, shown)


def main() -> None:
    for page in map(Path, sys.argv[1:] or PAGES):
        page.write_text(followed(page), "utf-8")
        print(page)


if __name__ == "__main__":
    main()
