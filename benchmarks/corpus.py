"""The corpus: some 2,000 matches with their reports, compared byte for byte with stored digests.

``make corpus`` plays every group of matches below through the command line alone, in a temporary
folder, and compares the SHA-256 of each artefact with ``benchmarks/corpus.sha256``; it names those
that differ, and exits with 1. Two versions of the harness that pass play, rate, report and replay
alike. To look at a difference, keep both versions' documents and compare the folders::

    python benchmarks/corpus.py --keep before      # there
    python benchmarks/corpus.py --keep after       # here; then: diff -r before after
    python benchmarks/corpus.py --only faults     # a group, or those with such an artefact
    python benchmarks/corpus.py --write            # the stored digests anew

An artefact is a document of a command (table, JSON or CSV, with its exit code), or the ``matches``
of a tournament: per match the columns round, pairing, leg, seats, seed, returns, scores,
termination, offender, move, expelled and record of table ``match`` and requests, isolation and
error of ``measurement``; number, pairings and byes of ``round``; index, rating and the
participant's key of ``entry``. Those columns are all that is relied on beside the command line.

Every seed is open and every bot deterministic, so nothing depends on the machine, the number of
workers, or what ran before. The group ``boxed`` needs bubblewrap. Normalised is only what
must differ between versions of the harness:

* The content hashes of house bots and of the bots in ``examples/``: they hash source files that
  may be edited without a change of play. They become zeros. The bots written by this script keep
  their hashes, which show that hashing stays as it is.
* The temporary folder's path.
* In stored errors of bots, the traceback's frames in the harness: they name its files and lines;
  and the length of a flood of output, of which a character more or less may be kept.

Measured times (the columns of nanoseconds, dates) are in no artefact. Progress and notes on stderr
are not compared, except where a command fails (exit code 1 or 2).
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import shlex
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from fnmatch import fnmatch
from itertools import cycle
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DIGESTS = Path(__file__).with_suffix(".sha256")
ARENA = Path(sys.executable).with_name("arena")


def words(text: str) -> list[str]:
    """The words of a command line."""
    return text.split()


DICE = '''"""Plays by lot, and seldom gives up."""

from arena import Bot

__version__ = "{version}"
__author__ = "Corpus"
__license__ = "MIT"


class Dice(Bot):
    """Any legal action, but most often none that stands, folds or passes."""

    games = ("pazaak", "sabacc")

    def __init__(self, patience: float = {patience}) -> None:
        self.patience = patience

    def start(self, context):
        self.rng = context.rng()

    def act(self, observation):
        legal = observation.legal_actions
        chosen = self.rng.choice(legal)
        if chosen.text in ("stand", "fold", "pass") and self.rng.random() < self.patience:
            chosen = self.rng.choice(legal)
        return chosen
'''
FAULT = '''"""Breaks about every second match in the way it is asked to, and else plays by lot."""

import os
import time

from arena import Bot

__version__ = "1.0"


class Fault(Bot):
    """A bot that breaks matches."""

    games = ("pazaak", "sabacc")

    def __init__(self, way: str = "crash") -> None:
        self.way = way

    def start(self, context):
        self.rng = context.rng()
        self.left = self.rng.randrange(8)
        if self.way == "start":
            raise RuntimeError("no start")

    def prepare(self, offer):
        if self.way == "prepare":
            raise RuntimeError("no deck")
        return ["+9"] * 10 if self.way == "deck" else None

    def act(self, observation):
        self.left -= 1
        if self.left == 0:
            if self.way == "crash":
                raise ValueError("as asked")
            if self.way == "illegal":
                return "nonsense"
            if self.way == "none":
                return None
            if self.way == "slow":
                time.sleep(2)
            if self.way == "sleep":
                time.sleep(600)
            while self.way == "loop":
                pass
            if self.way == "exit":
                os._exit(3)
            if self.way == "print":
                print("x" * 300_000)
            if self.way == "memory":
                self.kept = bytearray(1 << 33)
        return self.rng.choice(observation.legal_actions)

    def finish(self, outcome):
        if self.way == "finish":
            raise RuntimeError("no end")
'''
GARBAGE = """import sys

for line in sys.stdin:
    print("no JSON", flush=True)
"""
FILES = {
    "players/dice.py": DICE.format(version="1.0", patience=0.8),
    "players/later/dice.py": DICE.format(version="1.1", patience=0.5),
    "players/fault.py": FAULT,
    "players/garbage.py": GARBAGE,
    "wagers.toml": """name = "Wagers"
game = "pazaak"
format = "round-robin"
games = 4
rounds = 2
stake = 60
purse = 200
match_seconds = 60
log_kb = 8
bots = ["random", "stand(at=17)", "players/dice.py", "counter with hard"]

[options]
flip_scope = "both"
max_sets = 9
""",
    "forfeit.toml": """game = "pazaak"
games = 12
incidents = 1
decision_seconds = 20
decision_cpu_seconds = 1
bots = ["players/fault.py(way=loop)", "stand"]
""",
}

GOLD = "with 2&4 3&6 D ±1T ±1/2 ±2 ±3 +4 -5 D"
PAZAAK_OPTIONS = words("""hand_scope=set first_set=random first_set=seat_0 next_set=alternate
next_set=fixed next_set=loser next_set=random opening_cards=burn side_deck_size=10..25 max_copies=2
max_gold_copies=2 main_deck=forty_each main_deck=infinite bust_check=immediate
auto_stand=end_of_turn auto_stand=off fill=full_table_stands fill_overflow=allow_tenth
ninth_on_twenty=stand overshoot_spoils_fill=true specials_fill=false flip=negate_deck_persistent
flip=negate_positive flip_scope=both flip_by=printed flip_without_target=illegal
flip=negate_deck_persistent,flip_lasts=match double=in_place
flip=negate_deck_persistent,double_of_negated=positive tiebreaker_scope=last_card
tiebreaker_both=first_played tiebreaker_both=last_played max_sets=2 max_sets=0""")
"""One option each, at the recommended ruleset, played with the cards that options speak of."""
PAZAAK_DECKS = (
    "card_set=signed",
    "card_set=without_one_or_two",
    "deck=good",
    "deck=+1 +2 -1 -2 ±1 ±2 ±3 D ±1T 2&4",
    "collection=+1 +2 +3 +4 +5 -1 -2 -3 -4 ±1 ±2 ±3 D,collection_size=10..25",
)
SABACC_OPTIONS = words("""wild_five=false combo_match=exact suited_combo_cards=numbered_only
five_in_idiot=true character_in_idiot=true combo_vs_bomb=bomb_first idiot_upset=always
idiot_upset=never idiot_upset=two_idiots negative_strength=below_positive sign_tie=tie
reduced_tie=natural_wins zero_total=bust second_draw=drawers reveal=kept discards=reshuffled
hands=3 mode=chips mode=chips,stack=30 mode=chips,ante=3 mode=chips,cap=0
mode=chips,betting=alternating mode=chips,betting=poker mode=chips,max_raises=1
mode=chips,betting=poker,max_raises=1 mode=chips,short_stack=all_in,stack=20
mode=chips,all_bomb=refund mode=chips,all_bomb=split mode=points mode=points,target=100
mode=points,max_hands=5 mode=points,points_over_46=penalty mode=points,points_over_46=zero
mode=points,points_24_45=raw mode=points,points_negative=signed mode=points,points_negative=zero
mode=points,bonus=off mode=points,bonus=winner dice=true dice=true,tick_every=orbit
dice=true,tick_every=phase dice=true,tick_every=2 variable=true variable=true,slips=eight
variable=true,slip_return=kept_out variable=true,tick_every=phase
dice=true,variable=true,mode=chips,short_stack=all_in
dice=true,variable=true,mode=points,target=200""")
SABACC_RULESETS = words("""old_republic rebel_alliance new_republic imperial cloud_city mos_eisley
corellian corporate_sector crseih_station card_exchange variable""")
SABACC_MODES = (
    "mode=showdown,hands=6",
    "mode=chips,hands=8,short_stack=all_in",
    "mode=points,target=150",
)


class Folder:
    """One group's folder: runs commands in it, and gives each artefact's name and text.

    Args:
        name: The group.
        path: The folder.
        workers: The number of worker processes.
    """

    def __init__(self, name: str, path: Path, workers: int) -> None:
        self.name, self.path, self.workers = name, path, workers
        self.artefacts: dict[str, str] = {}
        self.played = self.stored = 0
        for file, text in FILES.items():
            (path / file).parent.mkdir(parents=True, exist_ok=True)
            (path / file).write_text(text)

    def report(self, name: str, *arguments: str) -> int:
        """Runs a command, keeps its document, returns its exit code."""
        done = subprocess.run(
            [ARENA, *arguments],
            cwd=self.path,
            env=os.environ | {"COLUMNS": "120", "NO_COLOR": "1", "LC_ALL": "C.UTF-8"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=1200,
        )
        text = f"$ arena {shlex.join(arguments)}\nexit code {done.returncode}\n{done.stdout}"
        if done.returncode:
            text += done.stderr
        self.keep(name, text)
        return done.returncode

    def play(self, name: str, *arguments: str) -> None:
        """Plays a tournament; keeps its document and its matches."""
        how = ("--concurrency", str(self.workers))
        if "--key" not in arguments:
            how += ("--seed", str(11 + self.played))
        # The workers are no part of the artefact's head: it is the same with any number.
        if self.report(name, *arguments, *how, "-o", "json"):
            raise ValueError(f"{self.name}: {self.artefacts[f'{self.name}/{name}']}")
        self.played += 1
        shown = self.artefacts[f"{self.name}/{name}"]
        self.artefacts[f"{self.name}/{name}"] = re.sub(r" --concurrency \d+", "", shown, count=1)
        self.matches(name)

    def matches(self, name: str) -> None:
        """Keeps the matches of the tournament played last."""
        found = f" where tournament_id = {self.played}"
        lines: list[str] = []
        with sqlite3.connect(f"file:{self.path / 'arena.db'}?mode=ro", uri=True) as database:
            for query in (
                'select "index", rating, key from entry join participant'
                f' on participant.id = participant_id{found} order by "index"',
                f"select number, pairings, byes from round{found} order by number",
                "select round, pairing, leg, seats, seed, returns, scores, termination, offender,"
                " move, expelled, requests, isolation, error, hex(record) from match join"
                " measurement using (tournament_id, round, pairing, leg)"
                f"{found} order by round, pairing, leg",
            ):
                rows = [[_readable(value) for value in row] for row in database.execute(query)]
                lines.extend(map(json.dumps, rows))
        self.stored += len(rows)
        self.keep(f"{name}.matches", "\n".join(lines) + "\n")

    def keep(self, name: str, text: str) -> None:
        """Adds an artefact, normalised."""
        text = text.replace(str(self.path.resolve()), "FOLDER")
        for content in self._contents():
            for written, zeros in (
                (content, "0" * 64),
                (content.encode().hex().upper(), "30" * 64),
                (content[:12], "0" * 12),
            ):
                text = text.replace(written, zeros)
        full = f"{self.name}/{name}"
        if full in self.artefacts:
            raise ValueError(f"two artefacts are called {full}")
        self.artefacts[full] = text

    def _contents(self) -> Iterator[str]:
        """The hashes of the bots whose source files may change."""
        file = self.path / "arena.db"
        if not file.exists():
            return
        with sqlite3.connect(f"file:{file}?mode=ro", uri=True) as database:
            rows = database.execute(
                "select name, content from participant union select name, content from submission"
            )
            for name, content in rows:
                plain = re.split(r"[( ]", name)[0]
                if plain not in {"dice", "fault"}:
                    yield content

    def reports(self, *, replays: Iterable[str] = (), shown: Iterable[int] = ()) -> None:
        """Keeps the leaderboards and lists, and some tournaments and replays."""
        for number in shown:
            for form in ("json", "csv", "table"):
                self.report(f"show-{number}.{form}", "tournament", "show", str(number), "-o", form)
        self.report("list.json", *words("tournament list -o json"))
        for form in ("json", "table"):
            self.report(f"leaderboard.{form}", "leaderboard", "-o", form)
        self.report("leaderboard-all.json", *words("leaderboard --all-versions -o json"))
        for match in replays:
            self.report(f"replay-{match}.json", "replay", match, "-o", "json")
            self.report(f"replay-{match}-public.txt", "replay", match, "--view", "public")
            self.report(f"verify-{match}.txt", "replay", match.split(".")[0], "--verify")

    def views(self, match: str) -> None:
        """Keeps what each onlooker sees of a match."""
        for view in ("all", "seat1"):
            self.report(f"replay-{match}-{view}.txt", "replay", match, "--view", view)
        how = words("--view seat0 -o json")
        self.report(f"replay-{match}-seat0.json", "replay", match, *how)


def _readable(value: object) -> object:
    """A column's value; of an error, without the harness's frames and the length of a kept log."""
    if isinstance(value, str):
        value = re.sub("x{1000,}\n?", "x...", value)
    if not isinstance(value, str) or "Traceback (most recent call last)" not in value:
        return value
    kept, inside = [], False
    for line in value.split("\n"):
        if line.startswith('  File "'):
            inside = "/players/" not in line
        elif not line.startswith("    "):
            inside = False
        if not inside:
            kept.append(line)
    return "\n".join(kept)


def _slug(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9=_.-]+", "-", text).strip("-")


def pazaak_options(folder: Folder) -> None:
    """Each option of Pazaak."""
    dice = f"players/dice.py {GOLD}"
    rivals = cycle((f"random {GOLD}", f"counter {GOLD}", f"hand-saver {GOLD}"))
    for number, option in enumerate(PAZAAK_OPTIONS):
        command = ("match", dice, next(rivals), "--trust", "dice", "--games", "14")
        folder.play(_slug(option), *command, "--ruleset", f"standard({option})")
        if number % 8 == 0:
            folder.report(f"{_slug(option)}.verify", "replay", str(folder.played), "--verify")
    folder.reports(replays=["1", "22"])


def pazaak_decks(folder: Folder) -> None:
    """Rulesets and side decks of Pazaak."""
    for ruleset in words("standard wiki console kotor1 table"):
        bots = words("random stand(at=17) counter hand-saver players/dice.py")
        every = [word for bot in bots for word in ("--bot", bot)]
        how = ("--trust", "dice", "--games", "6", "--ruleset", ruleset)
        folder.play(ruleset, "tournament", "run", *every, *how)
    for option in PAZAAK_DECKS:
        name, _, value = option.partition(",")[0].partition("=")
        given = option.replace(value, f'"{value}"') if " " in value else option
        how = ("--trust", "dice", "--games", "10", "--ruleset", f"standard({given})")
        folder.play(f"{name}-{_slug(value)[:12]}", "match", "players/dice.py", "hand-saver", *how)
    for deck in words("novice average good very-easy easy medium hard very-hard"):
        how = ("--games", "8", "--not-mirrored")
        folder.play(f"with-{deck}", "match", f"stand(at=18) with {deck}", "optimal", *how)
    folder.play("optimal", *words("match optimal hand-saver --games 20"))
    folder.play("search", *words("match search(iterations=20) counter --games 4"))
    folder.reports(replays=["2", "5"], shown=(1,))
    folder.views("3.2.1.1")
    folder.report("leaderboard-one.json", *words("leaderboard --ruleset table -o json"))


def sabacc_options(folder: Folder) -> None:
    """Each option of Sabacc, at tables of two to six."""
    rivals = ["target-total", "random", "exact-drawer", "cautious-folder", "target-total(at=20)"]
    games = {2: "8", 3: "9", 4: "8", 5: "10", 6: "6"}
    for number, option in enumerate(SABACC_OPTIONS):
        seats = 2 + number % 5
        how = ("--trust", "dice", "--games", games[seats])
        command = ("match", "players/dice.py", *rivals[: seats - 1], "--game", "sabacc", *how)
        folder.play(_slug(option), *command, "--ruleset", f"old_republic({option})")
        if number % 10 == 0:
            folder.report(f"{_slug(option)}.verify", "replay", str(folder.played), "--verify")
    folder.reports(replays=["3", "27"])


def sabacc_rulesets(folder: Folder) -> None:
    """Each ruleset of Sabacc in each mode, at tables of two to six."""
    rivals = ["cautious-folder", "players/dice.py", "random", "exact-drawer", "target-total"]
    number = 0
    for ruleset in SABACC_RULESETS:
        for mode in SABACC_MODES:
            seats = 2 + number % 5
            number += 1
            command = ("match", "target-total(at=19)", *rivals[: seats - 1], "--game", "sabacc")
            how = ("--trust", "dice") if seats > 2 else ()
            name = f"{ruleset}-{mode[5:10].strip(',')}"
            games = ("--games", str(seats * (2 if seats < 5 else 1)))
            folder.play(name, *command, *how, *games, "--ruleset", f"{ruleset}({mode})")
    folder.play(
        "equity",
        *words("match equity-bettor(samples=4) exact-drawer random --game sabacc"),
        "--games",
        "3",
        "--ruleset",
        "old_republic(mode=chips,hands=4)",
    )
    folder.play(
        "search",
        *words("match search(iterations=5) target-total --game sabacc"),
        "--games",
        "2",
        "--ruleset",
        "old_republic(hands=3)",
    )
    folder.reports(replays=["5", "33"], shown=(5,))
    folder.views("5")


def _field(bots: str) -> list[str]:
    return [word for bot in bots.split() for word in ("--bot", bot)]


def formats(folder: Folder) -> None:
    """Formats, mirrored or not, wagers, orders, keys; an interrupted run."""
    dice = ("--trust", "dice")
    five = _field("random stand(at=17) stand(at=15) counter players/dice.py")
    seven = _field(
        "random target-total target-total(at=15) target-total(at=20) cautious-folder"
        " players/dice.py exact-drawer"
    )
    chips = ("--game", "sabacc", "--ruleset", "old_republic(mode=chips,hands=3)")
    run = ("tournament", "run")
    folder.play("swiss", *run, *five, *dice, *words("--format swiss --games 8 --name Swiss"))
    folder.play(
        "swiss-rated",
        *run,
        *five,
        *dice,
        *words("--format swiss --games 3 --rounds 4 --not-mirrored --seed-by rating"),
    )
    folder.play(
        "round-robin",
        *run,
        *five,
        *dice,
        *words("--games 3 --rounds 2 --not-mirrored --seed-by rating"),
    )
    folder.play("stake", *run, *five, *dice, *words("--games 2 --stake 70 --purse 150"))
    folder.play("file", *run, "wagers.toml", *dice)
    key = "00112233445566778899aabbccddeeff"
    folder.play("key", *run, *five[:6], "--games", "4", "--key", key)
    folder.play("tables", *run, *seven, *dice, *chips, "--format", "tables", "--games", "3")
    folder.play(
        "tables-of-4",
        *run,
        *seven,
        *dice,
        *chips,
        *words("--format tables --seats 4 --games 2 --not-mirrored"),
    )
    folder.play(
        "table-swiss",
        *run,
        *seven,
        *dice,
        *chips,
        *words("--format table-swiss --games 3 --rounds 3"),
    )
    folder.play(
        "table-swiss-of-5",
        *run,
        *seven,
        *dice,
        *chips,
        *words("--format table-swiss --seats 5 --games 5"),
    )
    folder.play("sabacc-swiss", *run, *seven, *dice, *chips, *words("--format swiss --games 2"))
    interrupted(folder)
    folder.report("odd-games", *words("match random stand --games 3 --seed 3"))
    folder.report("bot-refused", *words("match random nobody"))
    folder.reports(replays=["1.2.2.1", "9.3.1.2"], shown=(4, 7, 10))
    folder.views("9.3.1.2")
    for form in ("csv", "table"):
        folder.report(f"list.{form}", "tournament", "list", "-o", form)
    folder.report("leaderboard.csv", *words("leaderboard -o csv"))
    folder.report("leaderboard-game.csv", *words("leaderboard --game sabacc -o csv"))


def interrupted(folder: Folder) -> None:
    """Interrupts a run after its first stored matches, and resumes it."""
    bots = ("exact-drawer", "target-total", "target-total(at=16)", "cautious-folder")
    command = (
        "match",
        *bots,
        "--game",
        "sabacc",
        "--games",
        "24",
        "--seed",
        "99",
        "--concurrency",
        "1",
        "--ruleset",
        "old_republic(mode=chips)",
    )
    run = subprocess.Popen(
        [ARENA, *command], cwd=folder.path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    folder.played += 1
    count = f"select count(*) from match where tournament_id = {folder.played}"
    database = sqlite3.connect(f"file:{folder.path / 'arena.db'}?mode=ro", uri=True)
    while run.poll() is None and not database.execute(count).fetchone()[0]:
        time.sleep(0.01)
    database.close()
    if run.poll() is None:
        run.send_signal(signal.SIGINT)
    run.wait()
    folder.report("resumed", "tournament", "resume", str(folder.played), "-o", "json")
    folder.matches("resumed")


def faults(folder: Folder) -> None:
    """Confined bots that break matches, at two seats and at tables."""
    limits = ("--isolation", "confined", "--output-kb", "64", "--concurrency", "1")
    for way in words("crash illegal none sleep loop exit print memory start prepare deck finish"):
        seconds = "1" if way in ("sleep", "loop") else "20"
        how = (*limits[:-2], "--games", "6", "--decision-seconds", seconds)
        folder.play(way, "match", f"players/fault.py(way={way})", "stand", *how)
    rivals = ("target-total", "random", "cautious-folder", "exact-drawer")
    for seats, way in enumerate(words("crash illegal sleep exit start"), 2):
        seconds = "1" if way == "sleep" else "20"
        how = (*limits[:-2], "--games", str(seats), "--decision-seconds", seconds)
        table = (f"players/fault.py(way={way})", *rivals[: seats - 1])
        rules = ("--game", "sabacc", "--ruleset", "old_republic(mode=chips,hands=4)")
        folder.play(f"table-{seats}-{way}", "match", *table, *rules, *how)
    two = ("players/fault.py(way=crash)", "players/fault.py(way=illegal)", *rivals[:3])
    folder.play("table-two-faults", "match", *two, *rules, "--games", "10", *limits[:-2])
    folder.play("forfeit", "tournament", "run", "forfeit.toml", *limits[:2])
    folder.reports(replays=["1", "3", "7", "18"], shown=(1, 18))
    folder.views("18")


def trusted(folder: Folder) -> None:
    """Bots in process that break matches, and bots that no command takes."""
    for way in words("crash illegal none slow start prepare deck finish"):
        how = ("--trust", "fault", "--games", "6", "--decision-seconds", "1")
        folder.play(way, "match", f"players/fault.py(way={way})", "random", *how)
    rules = ("--game", "sabacc", "--ruleset", "old_republic(mode=points,target=80)")
    table = ("players/fault.py(way=crash)", "target-total", "random", "players/dice.py")
    how = ("--trust", "fault", "--trust", "dice", "--games", "12")
    folder.play("table", "match", *table, *rules, *how)
    for bot in ("counter", "players/fault.py(way=crash)", "players/dice.py"):
        check = ("check", "bot", bot, "--matches", "4", "--isolation", "confined", "-o")
        for form in ("json", "table"):
            folder.report(f"check-{_slug(bot)}.{form}", *check, form)
    command = (
        "check",
        "bot",
        "--cmd",
        "python3 players/garbage.py",
        "--matches",
        "2",
        "-o",
        "json",
    )
    folder.report("check-garbage.json", *command, "--isolation", "confined")
    folder.reports(replays=["1", "9"], shown=(9,))


def confined(folder: Folder) -> None:
    """Confined bots that play to the end, at each level but the highest."""
    dice = "players/dice.py"
    level = ("--isolation", "confined")
    folder.play("pazaak", "match", dice, "random", *level, "--games", "40")
    folder.play(
        "house",
        "match",
        "counter",
        "stand(at=17)",
        *level,
        "--confine-house",
        "--games",
        "40",
        "--ruleset",
        "console",
    )
    table = (dice, "target-total", "random", "cautious-folder")
    chips = ("--game", "sabacc", "--ruleset", "variable(mode=chips,hands=5,dice=true)")
    folder.play("table", "match", *table, *chips, *level, "--games", "16")
    folder.play("house-table", "match", *table, *chips, *level, "--confine-house", "--games", "8")
    folder.play("process", "match", dice, "stand(at=18)", "--isolation", "process", "--games", "20")
    folder.play(
        "swiss",
        "tournament",
        "run",
        *_field(f"random stand counter {dice} hand-saver"),
        *level,
        "--format",
        "swiss",
        "--games",
        "4",
    )
    folder.reports(replays=["1.1.1.7", "3"], shown=(3,))


def boxed(folder: Folder) -> None:
    """The highest level."""
    level = ("--isolation", "boxed")
    folder.play("pazaak", "match", "players/dice.py", "stand", *level, "--games", "20")
    folder.play("crash", "match", "players/fault.py", "stand", *level, "--games", "6")
    folder.reports()


def submitted(folder: Folder) -> None:
    """Bots that are submitted, refused, played in two versions, and disabled."""
    examples = ROOT / "examples"
    for path, name in (("bots/no_sdk", "no_sdk"), ("arena-bot-cautious", "cautious")):
        shutil.copytree(
            examples / path,
            folder.path / "examples" / name,
            ignore=shutil.ignore_patterns("__pycache__", ".*"),
        )
    submit = ("--isolation", "confined", "--seed", "5", "-o", "json")
    for name, what in {
        "no_sdk": ("examples/no_sdk", "--game", "pazaak"),
        "cautious": ("examples/cautious",),
        "dice": ("players/dice.py",),
        "unchanged": ("players/dice.py",),
        "fault": ("players/fault.py",),
    }.items():
        folder.report(f"submit-{name}.json", "submit", *what, *submit)
    level = ("--isolation", "confined", "--games", "8")
    folder.play("first", "tournament", "run", *_field("no-sdk cautious dice stand"), *level)
    folder.report("submit-later.json", "submit", "players/later/dice.py", *submit)
    folder.play("later", "tournament", "run", *_field("no-sdk dice stand"), *level)
    folder.play("sabacc", "match", "dice", "target-total", *level, "--game", "sabacc")
    folder.report("bots.json", "bots", "-o", "json")
    folder.report("bots.csv", "bots", "list", "-o", "csv")
    for bot in ("dice", "no-sdk", "stand"):
        folder.report(f"show-bot-{bot}.json", "bots", "show", bot, "-o", "json")
    folder.report("disable", "bots", "disable", "dice@1.1")
    folder.report("bots-disabled.json", "bots", "-o", "json")
    folder.reports(replays=["1", "2"], shown=(2,))


def games(folder: Folder) -> None:
    """Documents that play no tournament."""
    for form in ("json", "csv", "table"):
        folder.report(f"games.{form}", "games", "-o", form)
        for game in ("pazaak", "sabacc"):
            folder.report(f"{game}.{form}", "games", game, "-o", form)
    folder.report("bots.json", "bots", "-o", "json")
    check = ("check", "game")
    for game, ruleset in (
        ("pazaak", "standard"),
        ("pazaak", "console"),
        ("pazaak", "table"),
        ("sabacc", "old_republic"),
        ("sabacc", "variable(dice=true,mode=chips)"),
        ("sabacc", "corellian(mode=points,target=100)"),
    ):
        how = ("--ruleset", ruleset, "--redeals", "150", "--seed", "3", "-o", "json")
        folder.report(f"check-{game}-{_slug(ruleset)}.json", *check, game, *how)
    for name in ("pazaak", "pazaak_more", "sabacc", "sabacc_more"):
        file = next((ROOT / "tests").rglob(f"data/{name}.json"))
        shutil.copy(file, folder.path / file.name)
        folder.report(f"cases-{name}.json", "check", "cases", file.name, "-o", "json")


GROUPS: tuple[Callable[[Folder], None], ...] = (
    submitted,
    faults,
    sabacc_options,
    pazaak_options,
    sabacc_rulesets,
    formats,
    pazaak_decks,
    confined,
    trusted,
    games,
    boxed,
)
"""The longest first."""


def stored() -> dict[str, str]:
    """The stored digest of each artefact."""
    lines = DIGESTS.read_text().splitlines() if DIGESTS.exists() else []
    return {name: digest for digest, name in (line.split("  ", 1) for line in lines)}


def compute(
    groups: Iterable[Callable[[Folder], None]], workers: int, lanes: int
) -> tuple[dict[str, str], int]:
    """Every artefact's text by its name, and the number of matches."""
    with tempfile.TemporaryDirectory(prefix="arena-corpus-") as base:

        def run(group: Callable[[Folder], None]) -> Folder:
            began = time.monotonic()
            path = Path(base) / group.__name__
            path.mkdir()
            folder = Folder(group.__name__, path, workers)
            group(folder)
            found, took = len(folder.artefacts), time.monotonic() - began
            print(f"{group.__name__:16} {found:4} artefacts, {took:4.0f} s", flush=True)
            return folder

        with ThreadPoolExecutor(lanes) as pool:
            folders = list(pool.map(run, groups))
    artefacts = {name: text for folder in folders for name, text in folder.artefacts.items()}
    return artefacts, sum(folder.stored for folder in folders)


def main() -> int:
    """Compares, or writes; returns the exit code."""
    parser = argparse.ArgumentParser(description="Plays the corpus; compares it with its digests.")
    parser.add_argument("--write", action="store_true", help="store the digests anew")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="keep the documents in DIR")
    parser.add_argument(
        "--only", default="*", metavar="PATTERN", help="a group, or a shell pattern"
    )
    parser.add_argument("--workers", type=int, default=1, help="worker processes of a command [1]")
    parser.add_argument("--lanes", type=int, default=2, help="commands run at once [2]")
    given = parser.parse_args()
    began, before = time.monotonic(), stored()
    groups = [
        group
        for group in GROUPS
        if given.only in ("*", group.__name__)
        or any(
            name.startswith(f"{group.__name__}/") and fnmatch(name, given.only) for name in before
        )
    ]
    artefacts, matches = compute(groups, given.workers, given.lanes)
    if given.keep:
        for name, text in artefacts.items():
            (given.keep / name).parent.mkdir(parents=True, exist_ok=True)
            (given.keep / name).write_text(text)
    now = {name: hashlib.sha256(text.encode()).hexdigest() for name, text in artefacts.items()}
    took = time.monotonic() - began
    print(f"{matches} matches, {len(now)} artefacts, {took:.0f} s")
    if given.write:
        played = {group.__name__ for group in groups}
        kept = {name: old for name, old in before.items() if name.split("/")[0] not in played}
        lines = [f"{digest}  {name}\n" for name, digest in sorted((kept | now).items())]
        DIGESTS.write_text("".join(lines))
        return 0
    played = {group.__name__ for group in groups}
    wanted = {name: old for name, old in before.items() if name.split("/")[0] in played}
    differing = sorted(name for name in wanted | now if wanted.get(name) != now.get(name))
    for name in differing:
        how = "differs" if name in wanted and name in now else "new" if name in now else "missing"
        print(f"{how}: {name}")
    print(f"{len(differing)} differ" if differing else "no difference")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
