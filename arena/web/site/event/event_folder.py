"""The folder of an organiser: files of bots with their letters, drafts, and logs of runs.

``FILE`` is what an author sent, ``letters/FILE.json`` the decision on it, ``letters/FILE.game`` its
game if it does not say that, ``NAME.toml`` a tournament file, ``runs/ID.log`` what the last run
of a tournament wrote, and ``runs/ID.txt`` who started and paused it. All of it can be put there,
read and changed by hand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path, PurePath
from threading import Lock
from typing import BinaryIO

import msgspec
from arena_results.bundle.bundles import toml_of
from arena_tournaments.spec.files import load_keys

from arena.core.errors import BadInput, UnknownName
from arena.core.text.printable import printable_line
from arena.pages.letter import letter_document
from arena.service.answers.rows import Document
from arena.service.answers.writing import replacing
from arena.service.letters.letter import Letter

ENDINGS = (".zip", ".tar.gz", ".tgz", ".whl", ".py")
"""Ends of the names of files that hold a bot."""
DRAFT = ".toml"
MAX_NAME = 60
"""Characters of the name of a draft."""
MAX_BYTES = 180
"""Bytes of the name of a file, to which ends are added; file systems allow 255."""
MAX_SHOWN = 20_000
"""Bytes of a draft that are shown when its keys cannot be read."""
NO_ENTRY = re.compile(r"[^\w.+-]+")


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """A file that an author sent.

    Attributes:
        state: ``waiting`` before its decision, then ``entered`` or ``refused``.
        bot: ``NAME@VERSION``, or only the name, as far as the file could be read.
        why: The reason of a refusal in a line.
        letter: The letter to its author; empty before the decision.
    """

    file: str
    state: str = "waiting"
    bot: str = ""
    author: str = ""
    why: str = ""
    letter: str = ""

    @property
    def row(self) -> Mapping[str, object]:
        """It as a row of a table."""
        return {**msgspec.structs.asdict(self), "letter": "letter" if self.letter else None}


class EventFolder:
    """A folder of an organiser, which is made if it is missing; several may change it at once.

    Raises:
        BadInput: It cannot be made.
    """

    def __init__(self, path: Path) -> None:
        self.path, self._lock = path.absolute(), Lock()
        try:
            for part in ("letters", "runs"):
                (self.path / part).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise BadInput(f"--organise {path}: expected a folder: {error.strerror}") from None

    def entries(self) -> list[Entry]:
        """Returns the files of bots by name, with the decisions on them."""
        names = sorted(each.name for each in self.path.iterdir() if each.is_file())
        return [
            self._entry(name)
            if _is_text(name)
            else Entry(
                file=printable_line(name), state="refused", why="its name is not UTF-8; rename it"
            )
            for name in names
            if _is_entry(name)
        ]

    def entry(self, file: str) -> Entry:
        """Returns one of the files.

        Raises:
            UnknownName: The folder has no such file.
        """
        found = {each.file: each for each in self.entries()}
        if file not in found:
            raise UnknownName("entry", file, found)
        return found[file]

    def _entry(self, file: str) -> Entry:
        decision, path = self._decision(file), self.path / file
        try:
            if decision.stat().st_mtime_ns < path.stat().st_mtime_ns:
                return Entry(file=file)  # the file is a newer one
            letter = msgspec.json.decode(decision.read_bytes())
            (about,) = letter["submissions"]
        except (OSError, msgspec.MsgspecError, KeyError, ValueError):
            return Entry(file=file)
        return Entry(
            file=file,
            state="refused" if about["status"] == "refused" else "entered",
            bot="@".join(filter(None, (about["name"], about["version"]))),
            author=letter["author"] or "",
            why=about["reason"],
            letter=letter["text"],
        )

    def _decision(self, file: str) -> Path:
        return self.path / "letters" / f"{file}.json"

    def game(self, file: str) -> str:
        """Returns the game of a file that does not say it; empty if nobody chose one."""
        path = self.path / "letters" / f"{file}.game"
        return path.read_text().strip() if path.is_file() else ""

    def again(self, game: str) -> None:
        """Has all refused files qualified again, for a game where they do not say theirs."""
        for each in self.entries():
            if each.state == "refused" and each.letter:
                self._choose(each.file, game)
                with _changing(decision := self._decision(each.file)):
                    decision.unlink(missing_ok=True)

    def _choose(self, file: str, game: str) -> None:
        if game:
            with replacing(self.path / "letters" / f"{file}.game") as written:
                written.write(game.encode())

    def receive(self, file: str, content: bytes, game: str = "") -> str:
        """Stores what an author sent, and returns its name: another file of the name stays.

        Args:
            game: Its game, if it does not say that.

        Raises:
            BadInput: It cannot hold a bot, or cannot be stored.
        """
        name = NO_ENTRY.sub("-", PurePath(file.replace("\\", "/")).name)
        name = name.encode(errors="replace")[-MAX_BYTES:].decode(errors="ignore").lstrip(".-")
        ending = next((each for each in ENDINGS if name.endswith(each)), "")
        if not ending or not content:
            what = printable_line(file)[:80] or "no file"
            raise BadInput(f"{what}: expected a file of one of the kinds {', '.join(ENDINGS)}")
        stem, number = name.removesuffix(ending), 1
        with self._lock:
            while (place := self.path / name).exists() and place.read_bytes() != content:
                number += 1
                name = f"{stem}-{number}{ending}"
            if not place.exists():
                self._choose(name, game)
                with replacing(place) as written:
                    written.write(content)
        return name

    def decide(self, file: str, documents: Sequence[Letter | Document]) -> None:
        """Stores the decision on a file: the one letter about it."""
        (letter,) = documents
        known = letter_document(letter) if isinstance(letter, Letter) else letter
        with replacing(self._decision(file)) as written:
            written.write(msgspec.json.format(msgspec.json.encode(known), indent=2))
        with replacing(self.path / "letters" / f"{file}.txt") as written:
            written.write(str(known["text"]).encode())

    def drafts(self) -> list[str]:
        """Returns the names of the tournament files."""
        files = (each for each in self.path.glob(f"*{DRAFT}") if each.is_file())
        return sorted(each.stem for each in files if _is_text(each.stem))

    def draft(self, name: str) -> Path:
        """Returns a tournament file; raises ``UnknownName`` without one."""
        if name not in self.drafts():
            raise UnknownName("draft", name, self.drafts())
        return self.path / f"{name}{DRAFT}"

    def keys(self, name: str) -> dict[str, object]:
        """Returns the keys of a draft."""
        return dict(load_keys(self.draft(name)))

    def text(self, name: str) -> str:
        """Returns the beginning of a draft as it is written, if its keys cannot be read."""
        with _changing(path := self.draft(name)), path.open("rb") as file:
            return file.read(MAX_SHOWN).decode(errors="replace")

    def version(self, name: str) -> str:
        """Returns a text that is another one after each change of a draft."""
        with _changing(path := self.draft(name)):
            return sha256(path.read_bytes()).hexdigest()[:16]

    def write(self, name: str, keys: Mapping[str, object], version: str = "") -> None:
        """Writes a draft, in the place of an earlier one.

        Args:
            version: The version that was changed; empty for any.

        Raises:
            BadInput: It has another version now, or the folder cannot be written.
        """
        with self._lock:
            if version and version != self.version(name):
                raise BadInput(
                    f"draft {name!r} was changed meanwhile, by another organiser or by hand; "
                    "what you typed is still here, and saving it now replaces the other version"
                )
            self._write(name, keys)

    def _write(self, name: str, keys: Mapping[str, object]) -> None:
        with replacing(self.path / f"{name}{DRAFT}") as written:
            written.write(toml_of(keys).encode())

    def delete(self, name: str) -> None:
        """Renames a draft, so that it is none any more.

        Raises:
            UnknownName: There is no such draft.
            BadInput: The folder cannot be written.
        """
        with _changing(path := self.draft(name)):
            path.replace(path.with_suffix(f"{DRAFT}.deleted"))

    def new_draft(self, title: str) -> str:
        """Writes a draft with a title and nothing else, and returns the name of its file.

        Raises:
            BadInput: The title cannot be shown in a line.
        """
        title = " ".join(title.split())
        if not title or not title.isprintable():
            raise BadInput("name of the event: expected a text of characters that can be shown")
        stem = NO_ENTRY.sub("-", title).strip(".-")[:MAX_NAME]
        stem = stem.encode()[:MAX_BYTES].decode(errors="ignore") or "event"
        name, number = stem, 1
        with self._lock:
            while name in self.drafts():
                number += 1
                name = f"{stem}-{number}"
            self._write(name, {"name": title})
        return name

    def log(self, number: int) -> Path:
        """Returns the file of what the last run of a tournament wrote."""
        return self.path / "runs" / f"{number}.log"

    def new_log(self, number: int) -> BinaryIO:
        """Opens that file for another run.

        Raises:
            BadInput: It cannot be written.
        """
        with _changing(path := self.log(number)):
            return path.open("wb")

    def signed(self, number: int) -> list[str]:
        """Returns who started and paused a tournament, a line each, the latest first."""
        with suppress(OSError):
            lines = self._signatures(number).read_text(errors="replace").splitlines()
            return [printable_line(each) for each in reversed(lines)]
        return []

    def sign(self, number: int, line: str) -> None:
        """Adds a line to them; a full disk stops no organiser."""
        with suppress(OSError), self._signatures(number).open("a") as file:
            file.write(f"{line}\n")

    def _signatures(self, number: int) -> Path:
        return self.path / "runs" / f"{number}.txt"


@contextmanager
def _changing(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise BadInput(f"{path} cannot be changed: {error.strerror or error}") from None


def _is_text(name: str) -> bool:
    """Returns whether a name is UTF-8, which names of files need not be."""
    return not any("\ud800" <= letter <= "\udfff" for letter in name)


def _is_entry(name: str) -> bool:
    return name.endswith(ENDINGS) and not name.startswith(".")
