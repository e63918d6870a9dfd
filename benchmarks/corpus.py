"""The corpus: some 2,000 matches with their reports, compared byte for byte with stored digests.

``make corpus`` plays every group of matches below through the command line alone, in a temporary
folder, and compares the SHA-256 of each artefact with ``benchmarks/corpus.sha256``; it names those
that differ, and exits with 1. Two versions of the harness that pass play, rate, report and replay
alike. To look at a difference, keep both versions' documents and compare the folders::

    python -m benchmarks.corpus --keep before      # there
    python -m benchmarks.corpus --keep after       # here; then: diff -r before after
    python -m benchmarks.corpus --only faults     # a group, or those with such an artefact
    python -m benchmarks.corpus --write            # the stored digests anew

An artefact is a document of a command (table, JSON or CSV, with its exit code), or the ``matches``
of a tournament: per match, as ``arena_results.store.queries`` reads them, its key, seats, seed,
returns, scores, termination, offender, move, expelled, requests, isolation and error, and the
record's bytes; number, pairings and byes of ``round``; index, rating and the participant's key of
``entry``. Those columns and that query are all that is relied on beside the command line.

Every seed is open and every bot deterministic, so nothing depends on the machine, the number of
workers, or what ran before. The group ``boxed`` needs bubblewrap. Normalised is only what
must differ between versions of the harness:

* The content hashes of house bots and of the bots in ``examples/``: they hash source files that
  may be edited without a change of play. They become zeros. The bots written by this script keep
  their hashes, which show that hashing stays as it is. The heads of the results' chains, which
  stand for hashes of both, become zeros.
* The temporary folder's path, and the dates of submissions.
* In stored errors of bots, the traceback's frames in the harness: they name its files and lines;
  the line that a late bot was in, which is wherever the time was over; and the length of a flood
  of output, of which a character more or less may be kept (in logs of replays: how much was cut
  off before what is kept).

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
from itertools import product
from pathlib import Path
from typing import TypeAlias

import msgspec
from arena_results.file.database import open_database
from arena_results.schema.rows import MatchRow
from arena_results.store.queries import matches

from arena.core.record import PlayedMatch

ROOT = Path(__file__).resolve().parents[1]
DIGESTS = Path(__file__).with_suffix(".sha256")
ARENA = Path(sys.executable).with_name("arena")

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
PAZAAK_OPTIONS = shlex.split("""hand_scope=set first_set=random first_set=seat_0 next_set=alternate
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
SABACC_OPTIONS = shlex.split("""wild_five=false combo_match=exact suited_combo_cards=numbered_only
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
SABACC_RULESETS = shlex.split("""old_republic rebel_alliance new_republic imperial cloud_city
mos_eisley corellian corporate_sector crseih_station card_exchange variable""")
SABACC_MODES = (
    "mode=showdown,hands=6",
    "mode=chips,hands=8,short_stack=all_in",
    "mode=points,target=150",
)


class Folder:
    """One group's folder: runs commands in it, and gives each artefact's name and text."""

    def __init__(self, name: str, path: Path, workers: int) -> None:
        self.name, self.path, self.workers = name, path, workers
        self.artefacts: dict[str, str] = {}
        self.played = self.stored = 0
        for file, text in FILES.items():
            (path / file).parent.mkdir(parents=True, exist_ok=True)
            (path / file).write_text(text)

    def report(self, name: str, command: str, *unshown: str) -> int:
        """Runs a command line, keeps its document, returns its exit code.

        Args:
            command: The command, quoted as for a shell; it is the artefact's head.
            unshown: Options that are no part of the head.
        """
        arguments = shlex.split(command)
        done = subprocess.run(
            [ARENA, *arguments, *unshown],
            cwd=self.path,
            env=os.environ | {"COLUMNS": "120", "NO_COLOR": "1", "LC_ALL": "C.UTF-8"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=1200,
        )
        text = f"$ arena {shlex.join(arguments)}\nexit code {done.returncode}\n{done.stdout}"
        self.keep(name, text + done.stderr if done.returncode else text)
        return done.returncode

    def forms(self, name: str, command: str, forms: str) -> None:
        """Keeps the document of a command in several forms."""
        for form in forms.split():
            self.report(f"{name}.{form}", f"{command} -o {form}")

    def play(self, name: str, command: str) -> None:
        """Plays a tournament; keeps its document and its matches."""
        seed = "" if " --key " in command else f" --seed {11 + self.played}"
        if self.report(name, f"{command}{seed} -o json", "--concurrency", str(self.workers)):
            raise ValueError(f"{self.name}: {self.artefacts[f'{self.name}/{name}']}")
        self.played += 1
        self.matches(name)

    def play_all(self, lines: str) -> None:
        """Plays tournaments, each in a line: its name, and the command."""
        for line in lines.strip().splitlines():
            self.play(*line.split(maxsplit=1))

    def matches(self, name: str) -> None:
        """Keeps the matches of the tournament played last."""
        found = f" where tournament_id = {self.played}"
        lines: list[str] = []
        with sqlite3.connect(f"file:{self.path / 'arena.db'}?mode=ro", uri=True) as database:
            for query in (
                'select "index", rating, key from entry join participant'
                f' on participant.id = participant_id{found} order by "index"',
                f"select number, pairings, byes from round{found} order by number",
            ):
                rows = [[_readable(value) for value in row] for row in database.execute(query)]
                lines.extend(map(json.dumps, rows))
        with open_database(f"sqlite:///{self.path / 'arena.db'}", create=False) as opened:
            for row, played in matches(opened, self.played):
                lines.append(json.dumps([_readable(value) for value in _columns(row, played)]))
                self.stored += 1
        self.keep(f"{name}.matches", "\n".join(lines) + "\n")

    def keep(self, name: str, text: str) -> None:
        """Adds an artefact, normalised."""
        text = text.replace(str(self.path.resolve()), "FOLDER")
        text = re.sub(
            r'("chain": "|^Result chain: )[0-9a-f]{64}', r"\g<1>" + "0" * 64, text, flags=re.M
        )
        text = re.sub(r"(?<=\[the first )\d+(?= bytes were cut off\])", "some", text)
        text = re.sub(r'(?<="submitted": ")[0-9 :-]+', "a date", text)
        for content in self._contents():
            text = text.replace(content, "0" * 64)
            text = text.replace(content.encode().hex().upper(), "30" * 64)
            text = text.replace(content[:12], "0" * 12)
        full = f"{self.name}/{name}"
        if full in self.artefacts:
            raise ValueError(f"two artefacts are called {full}")
        self.artefacts[full] = text

    def _contents(self) -> Iterator[str]:
        """The hashes of the bots whose source files may change."""
        file = self.path / "arena.db"
        if not file.exists():
            return
        query = "select name, content from participant union select name, content from submission"
        with sqlite3.connect(f"file:{file}?mode=ro", uri=True) as database:
            for name, content in database.execute(query):
                if re.split(r"[( ]", name)[0] not in {"dice", "fault"}:
                    yield content

    def reports(self, replays: str = "", shown: str = "") -> None:
        """Keeps the leaderboards and lists, and some tournaments and replays."""
        for number in shown.split():
            self.forms(f"show-{number}", f"tournament show {number}", "json csv table")
        self.forms("list", "tournament list", "json")
        self.forms("leaderboard", "leaderboard", "json table")
        self.forms("leaderboard-all", "leaderboard --all-versions", "json")
        for match in replays.split():
            self.forms(f"replay-{match}", f"replay {match}", "json")
            self.report(f"replay-{match}-public.txt", f"replay {match} --view public")
            self.verify(f"verify-{match}.txt", match.split(".")[0])

    def verify(self, name: str, tournament: str) -> None:
        """Keeps the verdict on the records of a tournament."""
        self.report(name, f"replay {tournament} --verify")

    def views(self, match: str) -> None:
        """Keeps what each onlooker sees of a match."""
        for view in ("all", "seat1"):
            self.report(f"replay-{match}-{view}.txt", f"replay {match} --view {view}")
        self.forms(f"replay-{match}-seat0", f"replay {match} --view seat0", "json")


def _columns(row: MatchRow, played: PlayedMatch) -> list[object]:
    """Returns the columns that are kept of a match; tuples as JSON."""
    about, measured, key = played.record, played.measurement, row.key

    def text(value: object) -> str:
        return msgspec.json.encode(value).decode()

    return [
        *(key.round, key.pairing, key.leg, text(row.seats), row.seed),
        *(text(row.returns), text(row.scores), row.termination.value, row.offender, row.move),
        *(text(row.expelled), text(measured.requests), measured.isolation, measured.error),
        about.to_bytes().hex().upper(),
    ]


def _readable(value: object) -> object:
    """A column's value; of an error, without the harness's frames and the length of a kept log."""
    if not isinstance(value, str):
        return value
    value = re.sub("x{1000,}\n?", "x...", value)
    value = re.sub(r"Stack \(most recent call first\):(\n  File .*)*", "", value)
    if "Traceback (most recent call last)" not in value:
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


def _field(bots: str) -> str:
    """The options that enter these bots."""
    return " ".join(f"--bot {bot}" for bot in bots.split())


def pazaak_options(folder: Folder) -> None:
    """Each option of Pazaak."""
    rivals = ("random", "counter", "hand-saver")
    for number, option in enumerate(PAZAAK_OPTIONS):
        bots = f"'players/dice.py {GOLD}' '{rivals[number % 3]} {GOLD}' --trust dice"
        folder.play(_slug(option), f"match {bots} --games 14 --ruleset standard({option})")
        if number % 8 == 0:
            folder.verify(f"{_slug(option)}.verify", str(folder.played))
    folder.reports("1 22")


def pazaak_decks(folder: Folder) -> None:
    """Rulesets and side decks of Pazaak."""
    five = _field("random stand(at=17) counter hand-saver players/dice.py")
    for ruleset in ("standard", "wiki", "console", "kotor1", "table"):
        how = f"--trust dice --games 6 --ruleset {ruleset}"
        folder.play(ruleset, f"tournament run {five} {how}")
    for option in PAZAAK_DECKS:
        name, _, value = option.partition(",")[0].partition("=")
        given = option.replace(value, f'"{value}"') if " " in value else option
        how = f"--trust dice --games 10 --ruleset {shlex.quote(f'standard({given})')}"
        folder.play(f"{name}-{_slug(value)[:12]}", f"match players/dice.py hand-saver {how}")
    for deck in shlex.split("novice average good very-easy easy medium hard very-hard"):
        bots = f"'stand(at=18) with {deck}' optimal"
        folder.play(f"with-{deck}", f"match {bots} --games 8 --not-mirrored")
    folder.play("optimal", "match optimal hand-saver --games 20")
    folder.play("search", "match search(iterations=20) counter --games 4")
    folder.reports("2 5", shown="1")
    folder.views("3.2.1.1")
    folder.forms("leaderboard-one", "leaderboard --ruleset table", "json")


def sabacc_options(folder: Folder) -> None:
    """Each option of Sabacc, at tables of two to six."""
    rivals = ["target-total", "random", "exact-drawer", "cautious-folder", "target-total(at=20)"]
    games = {2: 8, 3: 9, 4: 8, 5: 10, 6: 6}
    for number, option in enumerate(SABACC_OPTIONS):
        seats = 2 + number % 5
        bots = " ".join(["players/dice.py", *rivals[: seats - 1]])
        how = f"--game sabacc --trust dice --games {games[seats]}"
        folder.play(_slug(option), f"match {bots} {how} --ruleset old_republic({option})")
        if number % 10 == 0:
            folder.verify(f"{_slug(option)}.verify", str(folder.played))
    folder.reports("3 27")


def sabacc_rulesets(folder: Folder) -> None:
    """Each ruleset of Sabacc in each mode, at tables of two to six."""
    rivals = ["cautious-folder", "players/dice.py", "random", "exact-drawer", "target-total"]
    for number, (ruleset, mode) in enumerate(product(SABACC_RULESETS, SABACC_MODES)):
        seats = 2 + number % 5
        bots = " ".join(["target-total(at=19)", *rivals[: seats - 1]])
        trust = "--trust dice" if seats > 2 else ""
        games = seats * (2 if seats < 5 else 1)
        how = f"--game sabacc {trust} --games {games} --ruleset {ruleset}({mode})"
        folder.play(f"{ruleset}-{mode[5:10].strip(',')}", f"match {bots} {how}")
    rules = "--game sabacc --games {} --ruleset old_republic({})"
    equity, search = rules.format(3, "mode=chips,hands=4"), rules.format(2, "hands=3")
    folder.play("equity", f"match equity-bettor(samples=4) exact-drawer random {equity}")
    folder.play("search", f"match search(iterations=5) target-total {search}")
    folder.reports("5 33", shown="5")
    folder.views("5")


def formats(folder: Folder) -> None:
    """Formats, mirrored or not, wagers, orders, keys; an interrupted run."""
    bots = "random stand(at=17) stand(at=15)"
    three = f"tournament run {_field(bots)}"
    five = f"tournament run {_field(f'{bots} counter players/dice.py')} --trust dice"
    thresholds = "random target-total target-total(at=15) target-total(at=20) cautious-folder"
    seven = f"tournament run {_field(f'{thresholds} players/dice.py exact-drawer')} --trust dice"
    seven += " --game sabacc --ruleset old_republic(mode=chips,hands=3) --format"
    folder.play_all(f"""
        swiss {five} --format swiss --games 8 --name Swiss
        swiss-rated {five} --format swiss --games 3 --rounds 4 --not-mirrored --seed-by rating
        round-robin {five} --games 3 --rounds 2 --not-mirrored --seed-by rating
        stake {five} --games 2 --stake 70 --purse 150
        file tournament run wagers.toml --trust dice
        key {three} --games 4 --key 00112233445566778899aabbccddeeff
        tables {seven} tables --games 3
        tables-of-4 {seven} tables --seats 4 --games 2 --not-mirrored
        table-swiss {seven} table-swiss --games 3 --rounds 3
        table-swiss-of-5 {seven} table-swiss --seats 5 --games 5
        sabacc-swiss {seven} swiss --games 2""")
    interrupted(folder)
    folder.report("odd-games", "match random stand --games 3 --seed 3")
    folder.report("bot-refused", "match random nobody")
    folder.reports("1.2.2.1 9.3.1.2", shown="4 7 10")
    folder.views("9.3.1.2")
    folder.forms("list", "tournament list", "csv table")
    folder.forms("leaderboard", "leaderboard", "csv")
    folder.forms("leaderboard-game", "leaderboard --game sabacc", "csv")


def interrupted(folder: Folder) -> None:
    """Interrupts a run after its first stored matches, and resumes it."""
    command = shlex.split(
        "match exact-drawer target-total target-total(at=16) cautious-folder --game sabacc"
        " --games 24 --seed 99 --concurrency 1 --ruleset old_republic(mode=chips)"
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
    folder.report("resumed", f"tournament resume {folder.played} -o json")
    folder.matches("resumed")


def faults(folder: Folder) -> None:
    """Confined bots that break matches, at two seats and at tables."""
    limits = "--isolation confined --output-kb 64"
    for way in shlex.split(
        "crash illegal none sleep loop exit print memory start prepare deck finish"
    ):
        seconds = 1 if way in ("sleep", "loop") else 20
        how = f"{limits} --games 6 --decision-seconds {seconds}"
        folder.play(way, f"match players/fault.py(way={way}) stand {how}")
    rivals = ["target-total", "random", "cautious-folder", "exact-drawer"]
    rules = "--game sabacc --ruleset old_republic(mode=chips,hands=4)"
    for seats, way in enumerate(shlex.split("crash illegal sleep exit start"), 2):
        bots = " ".join([f"players/fault.py(way={way})", *rivals[: seats - 1]])
        how = f"{limits} --games {seats} --decision-seconds {1 if way == 'sleep' else 20}"
        folder.play(f"table-{seats}-{way}", f"match {bots} {rules} {how}")
    two = "players/fault.py(way=crash) players/fault.py(way=illegal)"
    bots = f"{two} target-total random cautious-folder"
    folder.play("table-two-faults", f"match {bots} {rules} --games 10 {limits}")
    folder.play("forfeit", "tournament run forfeit.toml --isolation confined")
    folder.reports("1 3 7 18", shown="1 18")
    folder.views("18")


def trusted(folder: Folder) -> None:
    """Bots in process that break matches, and bots that no command takes."""
    for way in shlex.split("crash illegal none slow start prepare deck finish"):
        how = "--trust fault --games 6 --decision-seconds 1"
        folder.play(way, f"match players/fault.py(way={way}) random {how}")
    table = "players/fault.py(way=crash) target-total random players/dice.py"
    rules = "--game sabacc --ruleset old_republic(mode=points,target=80)"
    folder.play("table", f"match {table} {rules} --trust fault --trust dice --games 12")
    for bot in ("counter", "players/fault.py(way=crash)", "players/dice.py"):
        how = "--matches 4 --isolation confined"
        folder.forms(f"check-{_slug(bot)}", f"check bot {bot} {how}", "json table")
    folder.report(
        "check-garbage.json",
        "check bot --cmd 'python3 players/garbage.py' --matches 2 -o json --isolation confined",
    )
    folder.reports("1 9", shown="9")


def confined(folder: Folder) -> None:
    """Confined bots that play to the end, at each level but the highest."""
    level = "--isolation confined"
    table = "match players/dice.py target-total random cautious-folder --game sabacc"
    table += f" --ruleset variable(mode=chips,hands=5,dice=true) {level}"
    five = _field("random stand counter players/dice.py hand-saver")
    house = f"match counter stand(at=17) {level} --confine-house"
    folder.play_all(f"""
        pazaak match players/dice.py random {level} --games 40
        house {house} --games 40 --ruleset console
        table {table} --games 16
        house-table {table} --confine-house --games 8
        process match players/dice.py stand(at=18) --isolation process --games 20
        swiss tournament run {five} {level} --format swiss --games 4""")
    folder.reports("1.1.1.7 3", shown="3")


def boxed(folder: Folder) -> None:
    """The highest level."""
    folder.play("pazaak", "match players/dice.py stand --isolation boxed --games 20")
    folder.play("crash", "match players/fault.py stand --isolation boxed --games 6")
    folder.reports()


def submitted(folder: Folder) -> None:
    """Bots that are submitted, refused, played in two versions, and disabled."""
    for path, name in (("bots/no_sdk", "no_sdk"), ("arena-bot-cautious", "cautious")):
        shutil.copytree(
            ROOT / "examples" / path,
            folder.path / "examples" / name,
            ignore=shutil.ignore_patterns("__pycache__", ".*"),
        )
    submit = "--isolation confined --seed 5 -o json"
    for name, what in {
        "no_sdk": "examples/no_sdk --game pazaak",
        "cautious": "examples/cautious",
        "dice": "players/dice.py",
        "unchanged": "players/dice.py",
        "fault": "players/fault.py",
    }.items():
        folder.report(f"submit-{name}.json", f"submit {what} {submit}")
    level = "--isolation confined --games 8"
    folder.play("first", f"tournament run {_field('no-sdk cautious dice stand')} {level}")
    folder.report("submit-later.json", f"submit players/later/dice.py {submit}")
    folder.play("later", f"tournament run {_field('no-sdk dice stand')} {level}")
    folder.play("sabacc", f"match dice target-total {level} --game sabacc")
    folder.forms("bots", "bots", "json")
    folder.forms("bots", "bots list", "csv")
    for bot in ("dice", "no-sdk", "stand"):
        folder.forms(f"show-bot-{bot}", f"bots show {bot}", "json")
    folder.report("disable", "bots disable dice@1.1")
    folder.forms("bots-disabled", "bots", "json")
    folder.reports("1 2", shown="2")


def games(folder: Folder) -> None:
    """Documents that play no tournament."""
    folder.forms("games", "games", "json csv table")
    for game in ("pazaak", "sabacc"):
        folder.forms(game, f"games {game}", "json csv table")
    folder.forms("bots", "bots", "json")
    for game, ruleset in (
        ("pazaak", "standard"),
        ("pazaak", "console"),
        ("pazaak", "table"),
        ("sabacc", "old_republic"),
        ("sabacc", "variable(dice=true,mode=chips)"),
        ("sabacc", "corellian(mode=points,target=100)"),
    ):
        how = f"--ruleset {ruleset} --redeals 150 --seed 3"
        folder.forms(f"check-{game}-{_slug(ruleset)}", f"check game {game} {how}", "json")
    for name in ("pazaak", "pazaak_more", "sabacc", "sabacc_more"):
        file = next((ROOT / "tests").rglob(f"data/{name}.json"))
        shutil.copy(file, folder.path / file.name)
        folder.forms(f"cases-{name}", f"check cases {file.name}", "json")


Group: TypeAlias = Callable[[Folder], None]

GROUPS: tuple[Group, ...] = (
    submitted, faults, sabacc_options, pazaak_options, sabacc_rulesets, formats, pazaak_decks,
    confined, trusted, games, boxed,
)  # fmt: skip
"""The longest first."""


def stored() -> dict[str, str]:
    """The stored digest of each artefact."""
    lines = DIGESTS.read_text().splitlines() if DIGESTS.exists() else []
    return {name: digest for digest, name in (line.split("  ", 1) for line in lines)}


def compute(groups: Iterable[Group], workers: int, lanes: int) -> tuple[dict[str, str], int]:
    """Every artefact's text by its name, and the number of matches."""
    with tempfile.TemporaryDirectory(prefix="arena-corpus-") as base:

        def run(group: Group) -> Folder:
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
    meant = {name.split("/")[0] for name in before if fnmatch(name, given.only)} | {given.only}
    groups = [group for group in GROUPS if "*" in meant or group.__name__ in meant]
    artefacts, matches = compute(groups, given.workers, given.lanes)
    if given.keep:
        for name, text in artefacts.items():
            (given.keep / name).parent.mkdir(parents=True, exist_ok=True)
            (given.keep / name).write_text(text)
    now = {name: hashlib.sha256(text.encode()).hexdigest() for name, text in artefacts.items()}
    print(f"{matches} matches, {len(now)} artefacts, {time.monotonic() - began:.0f} s")
    played = {group.__name__ for group in groups}
    wanted = {name: old for name, old in before.items() if name.split("/")[0] in played}
    if given.write:
        kept = {name: old for name, old in before.items() if name not in wanted}
        lines = [f"{digest}  {name}\n" for name, digest in sorted((kept | now).items())]
        DIGESTS.write_text("".join(lines))
        return 0
    differing = sorted(name for name in wanted | now if wanted.get(name) != now.get(name))
    for name in differing:
        how = "differs" if name in wanted and name in now else "new" if name in now else "missing"
        print(f"{how}: {name}")
    print(f"{len(differing)} differ" if differing else "no difference")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
