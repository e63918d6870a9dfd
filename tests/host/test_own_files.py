"""A bot reads all files of its own folder, by its own path and by its working directory.

Every kind of submission does, at every level; and from ``confined`` on none can write there.
"""

from __future__ import annotations

import zipfile

import pytest

from arena.host.box.levels import Level
from arena.plugins.submissions.archives import write_files
from arena.plugins.submissions.submission import read_package
from arena.plugins.submissions.unpacking import source_of
from tests.host.confined_plays import match_settings, offences, play, schedule, untrusted, written
from tests.plugins.packages import PROGRAM, PROJECT, WHEEL, wheel, write

LEVELS = (Level.PROCESS, Level.CONFINED, Level.BOXED)
READS = """
import os
from pathlib import Path

BESIDE = Path(__file__).parent


def read_all():
    beside = [(BESIDE / name).read_text() for name in ("stand.txt", "tables/deep/stand.txt")]
    assert sorted(each.name for each in BESIDE.iterdir() if each.suffix == ".txt") == ["stand.txt"]
    here = [Path(name).read_text() for name in ("stand.txt", "tables/deep/stand.txt")]
    assert os.path.isdir("tables") and os.listdir("tables/deep") == ["stand.txt"]
    if not os.path.exists("may be written"):
        for path in (BESIDE / "stand.txt", BESIDE / "new.txt", Path("stand.txt"), Path("new.txt")):
            try:
                path.write_text("18")
            except OSError:
                continue
            raise AssertionError(f"it has written {path.name}")
    return int(here[0]) + sum(map(int, beside + here)) - 4 * int(here[1])


LIMIT = read_all()
"""
BOT = (
    READS
    + """
from arena import Bot


class Reader(Bot):
    games = ("pazaak",)

    def act(self, observation):
        end_turn, stand, *plays = observation.legal_actions
        return stand if observation.total >= read_all() else end_turn
"""
)
LOOP = (
    READS
    + """
import json, sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        answer = {"protocol": 1, "games": ["pazaak"]}
    elif message["type"] == "start":
        answer = {"id": message["id"]}
    elif message["type"] == "decide":
        total = message["observation"]["total"]
        answer = {"id": message["id"], "action": "stand" if total >= read_all() else "end turn"}
    else:
        continue
    print(json.dumps(answer), flush=True)
"""
)
DATA = {"stand.txt": "17", "tables/deep/stand.txt": "17"}
MODULE = PROJECT.replace(', "numpy>=2"', "").replace("careful_bot.play:Careful", "reader:Reader")
COMMAND = PROGRAM.format(command='["python3", "loop.py"]')
SCRIPT = PROGRAM.format(command='["./loop.py"]')


def below(folder):
    """The files of a package, each read beside the package's module and at the top."""
    return {**{f"{folder}{name}": text for name, text in DATA.items()}, **DATA}


PACKAGE = {"reader/__init__.py": BOT, **below("reader/")}
KINDS = {
    "bare": {"reader.py": BOT, **DATA},
    "module": {"pyproject.toml": MODULE, "reader.py": BOT, **DATA},
    "package": {"pyproject.toml": MODULE, **PACKAGE},
    "src": {
        "pyproject.toml": MODULE,
        **{f"src/{name}": text for name, text in PACKAGE.items() if name not in DATA},
        **DATA,
    },
    "program": {"pyproject.toml": COMMAND, "loop.py": LOOP, **DATA},
    "script": {"pyproject.toml": SCRIPT, "loop.py": "#!/usr/bin/env python3\n" + LOOP, **DATA},
}


def submission(kind, folder):
    """A folder, or an archive of one, of that kind."""
    form, _, kind = kind.partition(" ")
    if form == "wheel":
        info = {name: text for name, text in WHEEL.items() if "dist-info" in name}
        entries = next(name for name in info if name.endswith("entry_points.txt"))
        info[entries] = "[arena.bots]\ncareful = reader:Reader\n"
        about = entries.replace("entry_points.txt", "METADATA")
        info[about] = info[about].replace("Requires-Dist: numpy\n", "")
        return wheel(folder / "reader-2.0-py3-none-any.whl", {**PACKAGE, **info})
    write(folder / "packed", KINDS[kind])
    if form == "folder":
        return folder / "packed"
    with zipfile.ZipFile(folder / "packed.zip", "w") as archive:
        for name, text in KINDS[kind].items():
            archive.writestr(f"packed/{name}", text)
    return folder / "packed.zip"


SUBMISSIONS = [*(f"{form} {kind}" for form in ("folder", "zip") for kind in KINDS), "wheel"]


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("kind", SUBMISSIONS)
@pytest.mark.thorough(
    "the same files are read in folders and archives",
    everyday=["* bare-boxed", "* bare-confined", "folder src-boxed", "wheel-boxed", "zip s*-boxed"],
)
def test_every_kind_of_submission_reads_its_own_folder(tmp_path, kind, level_here):
    package = read_package(str(submission(kind, tmp_path)))
    folder = tmp_path / "bot"
    write_files(package.files, folder)
    if level_here is Level.PROCESS:
        (folder / "may be written").touch()
    bots = [source_of(package, folder), untrusted("random")]
    played = play(match_settings(level=level_here), bots, schedule(2, deals=1))
    assert offences(played) == [(None, "rules")] * 2, played[0].measurement.error


@pytest.mark.parametrize("level", LEVELS[1:])
def test_a_file_stands_alone_and_the_reason_names_what_helps(tmp_path, level_here):
    """Its folder may hold anything: other bots, the database."""
    (tmp_path / "stand.txt").write_text("17")
    code = f"open({str(tmp_path / 'stand.txt')!r})"
    bots = [
        written(tmp_path, "alone", code + "\nclass Alone(__import__('arena').Bot): ..."),
        untrusted("random"),
    ]
    (lost, _) = play(match_settings(level=level_here), bots, schedule(2, deals=1))
    reason = lost.record.outcome.reason
    assert reason.endswith(
        "a bot file may only read itself: put it into a folder with the files that it reads"
    )
