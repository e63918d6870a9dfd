"""Tournaments of hostile bots, run by the command line."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pytest
from arena_results.bots.submissions import NewSubmission, add
from arena_results.file.database import open_database
from arena_results.store.queries import matches

from arena.core.record import PlayedMatch
from arena.plugins.submissions.archives import packed
from arena.plugins.submissions.submission import read_package
from tests.isolation.expectations import EXPECTED, IN_TIME, PROGRAMS, REFUSED_PROGRAMS, seconds_for
from tests.isolation.forged import forge
from tests.isolation.users import ROOT, Ended, Standstill, User, arena

HERE = Path(__file__).parent
HOUSE = ("stand(at=17)", "random", "counter", "hand-saver")
MARKER = "arena-hostile-marker*"
"""Names of the files that the bots leave where they can."""
REPORTED = "GOT: "
"""The text that an attack raises when it succeeded."""
PUBLIC_PLACES = tuple(map(Path, ("/tmp", "/var/tmp", "/dev/shm", "/run", "/")))
PROGRAM_NAMES = frozenset(name for tournament in PROGRAMS.values() for name in tournament)
STANDSTILL = 0.03
"""Seconds at a time that the machine may stand still while a tournament is played.

A bot that starts a thread waits for three others (its monitor decides), so that an eighth of the
shortest time for a decision is already felt."""
DECISIONS = 4
"""The time of a bot for a match, in slow decisions (``drips`` makes more of them)."""
ATTEMPTS = 5
SPEC = """
bots = {bots}
format = "{format}"
rounds = {rounds}
games = 2
seed = 7
concurrency = {concurrency}
decision_seconds = {seconds}
match_seconds = {match_seconds}
startup_seconds = 5.0
memory_mb = 256
output_kb = 64
incidents = 3
"""
CONFINED = """
isolation = "{level}"
require = "{level}"
"""
BY_AN_ORDINARY_USER = pytest.mark.thorough("the same by an ordinary user", everyday=["user*"])
"""For tests by the kind of user."""
TRUSTED = "trust = {bots}\n"


class Played(NamedTuple):
    """A tournament that was played.

    Attributes:
        folder: With its database, its bots and nothing else.
        ended: How the command ended.
        matches: In schedule order.
    """

    folder: Path
    ended: Ended
    matches: list[PlayedMatch]


def with_tools(text: str) -> str:
    """The source of a hostile bot with the tools that it imports from ``wire.py`` written out."""
    tools = (HERE / "wire.py").read_text()
    return re.sub(
        r"^from tests\.isolation\.wire import .*\n", lambda _: tools, text, flags=re.MULTILINE
    )


def furnish(folder: Path, source: Path | None = None) -> None:
    """Puts every hostile bot into a folder, or that one file under all their names."""
    bots = folder / "bots"
    bots.mkdir(parents=True)
    shutil.copy(HERE / "rival.py", bots)
    for file in (HERE / "hostile").glob("*.py"):
        (bots / file.name).write_text(with_tools((source or file).read_text()))
    if source is not None:
        for name in PROGRAM_NAMES:
            shutil.copy(source, bots / f"{name}.py")


def submit(folders: Iterable[Path], url: str) -> None:
    """Puts programs into the store, as if they had behaved while they were qualified."""
    with open_database(url) as database:
        for folder in folders:
            package = read_package(str(folder))
            new = NewSubmission(
                name=package.name,
                version=package.version,
                content=package.content,
                games=package.games,
                language=package.language,
                command=package.command,
                deterministic=True,
            )
            add(database, new, packed(package.files))


def program(name: str, folder: Path) -> Path:
    """Makes a folder of a hostile program that can be submitted."""
    source = HERE / "programs" / f"{name}.c"
    compiled = source.exists() or name in REFUSED_PROGRAMS
    command = [f"./{name}"] if compiled else ["python3", f"{name}.py"]
    folder.mkdir(parents=True)
    if name in REFUSED_PROGRAMS:
        forge(HERE / "refused" / f"{name}.c", folder / name, "/etc")
    elif source.exists():
        compile_c(source, folder / name)
    else:
        for file in (f"{name}.py", "player.py"):
            shutil.copy(HERE / "programs" / file, folder)
    (folder / "pyproject.toml").write_text(
        f'[project]\nname = "{name}"\nversion = "1"\n'
        f'[tool.arena.bot]\ncommand = {json.dumps(command)}\ngames = ["pazaak"]\n'
    )
    return folder


def compile_c(source: Path, program: Path) -> None:
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("there is no C compiler (cc)")
    subprocess.run([compiler, "-O1", "-o", program, source], check=True)


def examples(folder: Path) -> list[Path]:
    """The examples in other languages, ready to be submitted."""
    if shutil.which("node") is None:
        pytest.skip("there is no node for the example in JavaScript")
    found = [Path(shutil.copytree(ROOT / "examples" / "bots" / name, folder / name))
             for name in ("javascript", "c", "no_sdk")]  # fmt: skip
    compile_c(folder / "c" / "bot.c", folder / "c" / "bot")
    return found


def play(
    user: User,
    folder: Path,
    hostile: Collection[str],
    *,
    tame: bool = False,
    guests: Sequence[Path] = (),
    format: str = "round-robin",
    rounds: int = 1,
    level: str = "confined",
    workers: int = 2,
    seconds: float | None = None,
) -> Played:
    """Plays a tournament of hostile bots and well-behaved ones, each in processes of its own.

    It is played again where a bot lost as none should while the machine stood still.

    Args:
        user: Who runs it.
        folder: Where; new.
        hostile: Names of the hostile ones.
        tame: A stand-in plays under the name of each of them.
        guests: Folders of well-behaved programs that play too.
        format: The kind of tournament.
        rounds: Its rounds, or cycles.
        level: How the bots are kept apart.
        workers: The number of worker processes.
        seconds: The time for a decision; by default, what these bots need.
    """
    if seconds is None:
        seconds = IN_TIME if tame else seconds_for(hostile)
    for _ in range(ATTEMPTS):
        shutil.rmtree(folder, ignore_errors=True)
        furnish(folder, HERE / "stand_in.py" if tame else None)
        bots = _enter(folder, hostile, guests, tame=tame)
        trusted = [bot for bot in bots if bot not in HOUSE]
        kept = TRUSTED.format(bots=trusted) if tame else CONFINED.format(level=level)
        spec = SPEC.format(
            bots=bots,
            format=format,
            rounds=rounds,
            concurrency=workers,
            seconds=seconds,
            match_seconds=DECISIONS * seconds,
        )
        (folder / "spec.toml").write_text(spec + kept)
        if user.name:
            for path in (folder, *folder.rglob("*")):
                shutil.chown(path, user.name)
        with Standstill() as machine:
            ended = arena(
                user, folder, "tournament", "run", "spec.toml", "--db", _url(folder), "-o", "json"
            )
        found = []
        if ended.code == 0:
            with open_database(_url(folder), create=False) as database:
                found = [each for _, each in matches(database, 1)]
        expected = ended.code == 0 and all(_is_expected(match, tame=tame) for match in found)
        if expected or machine.seconds < STANDSTILL:
            break
    return Played(folder, ended, found)


def _is_expected(match: PlayedMatch, *, tame: bool) -> bool:
    """True if no bot lost the match for a cause that is not its own."""
    outcome = match.record.outcome
    if outcome.offender is None:
        return True
    name = name_of(match.record.seats[outcome.offender])
    return not tame and name in EXPECTED and outcome.termination in EXPECTED[name].causes


def _enter(
    folder: Path, hostile: Iterable[str], guests: Sequence[Path], *, tame: bool
) -> list[str]:
    """Submits the programs, and returns the field."""
    programs = [] if tame else [name for name in hostile if name in PROGRAM_NAMES]
    with TemporaryDirectory() as place:
        submit([*(program(name, Path(place, name)) for name in programs), *guests], _url(folder))
    return [
        *HOUSE,
        "bots/rival.py",
        *(read_package(str(guest)).name for guest in guests),
        *(name if name in programs else f"bots/{name}.py" for name in hostile),
    ]


def _url(folder: Path) -> str:
    return f"sqlite:///{folder / 'arena.db'}"


def markers(folder: Path) -> list[str]:
    """Names of files that hostile bots left, in all folders where they could."""
    places = (*PUBLIC_PLACES, folder, *(path for path in folder.rglob("*") if path.is_dir()))
    return [str(path) for place in places for path in place.glob(MARKER)]


def remove_markers(folder: Path) -> None:
    for name in markers(folder):
        path = Path(name)
        path.rmdir() if path.is_dir() and not path.is_symlink() else path.unlink()


def name_of(key: str) -> str:
    """The bot's name in a participant's key."""
    return key.partition("@")[0]
