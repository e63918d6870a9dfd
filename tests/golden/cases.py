"""The matches of the golden records, each played by lot with faults at fixed requests.

``python -m tests.golden.cases`` plays them and writes the file of each game's present version, if
there is none yet: ``GAME-VERSION.jsonl``. What is written is never written anew.
"""

from __future__ import annotations

import json
import random
from pathlib import Path

import msgspec

from arena.core.outcome import Termination
from arena.core.record import MatchRecord
from arena.match.adjudication import Failure
from arena.match.limits import Limits
from arena.match.play import play_match
from arena.match.replay import FAULTS, verify
from arena.match.requests import Seating
from arena.plugins.registry import Registry

LATER = (Termination.LEFT,)
"""Causes of faults that came after the first files: their cases follow those of the others."""
FOLDER = Path(__file__).parent
GAMES = {game.name: game for game in Registry().games() if game.name in ("pazaak", "sabacc")}
MODES = {
    "pazaak": ("", "max_sets=2", "hand_scope=set"),
    "sabacc": ("mode=showdown,hands=3", "mode=chips,hands=4", "mode=points,target=60"),
}
"""Options that are played with every ruleset of a game."""
LIMITS = Limits(requests=400)
REDRAWN = 0.8
"""Share of the decisions to stand, fold or pass that are drawn once more."""


class Case(msgspec.Struct, frozen=True, kw_only=True):
    """One match of a golden file.

    Attributes:
        faults: By seat, the number of the request at which it fails (0: its seating), and how.
    """

    game: str
    ruleset: str
    seats: int
    seed: int
    faults: dict[int, tuple[int, Termination]] = {}

    @property
    def name(self) -> str:
        """The name of its line in the file."""
        faults = "".join(f", seat {s}: {cause} at {at}" for s, (at, cause) in self.faults.items())
        return f"{self.ruleset}, {self.seats} seats, deal {self.seed}{faults}"

    def play(self) -> MatchRecord:
        """Plays the match and returns its record."""
        game, rng = GAMES[self.game], random.Random(self.seed)
        names = [f"bot{seat}@1.0+{seat:064x}" for seat in range(self.seats)]
        loop = play_match(game, game.ruleset(self.ruleset), self.seed, names, LIMITS)
        asked = [0] * self.seats
        request = next(loop)
        while True:
            at, cause = self.faults.get(request.seat, (None, None))
            if asked[request.seat] == at:
                answer = Failure(cause, "as the case says")
            else:
                answer = None if type(request) is Seating else by_lot(request.legal_actions, rng)
            asked[request.seat] += 1
            try:
                request = loop.send((answer, 1000))
            except StopIteration as end:
                return end.value[0]


def by_lot(legal, rng):
    """Draws an action; one that ends the turn most often once more."""
    chosen = rng.choice(legal)
    if chosen.text in ("stand", "fold", "pass") and rng.random() < REDRAWN:
        chosen = rng.choice(legal)
    return chosen


def with_options(ruleset: str, options: str) -> str:
    return f"{ruleset}({options})" if options else ruleset


def cases(game: str) -> list[Case]:
    """The matches of a game: all rulesets and modes, and all causes of faults."""
    found = []
    widest = max(GAMES[game].seats)
    for ruleset in GAMES[game].rulesets:
        for options in MODES[game]:
            number = len(found)
            seats = 2 + number % (widest - 1)
            found.append(
                Case(game=game, ruleset=with_options(ruleset, options), seats=seats, seed=number)
            )
    ruleset = with_options(next(iter(GAMES[game].rulesets)), MODES[game][1])
    for cause in (*sorted(FAULTS.difference(LATER)), *LATER):
        for at in (0, 3):
            number = len(found)
            faults = {number % 2: (at, cause)}
            if widest > 2 and at:
                faults |= {2: (at + 1, Termination.CRASH), 3: (0, Termination.TIMEOUT)}
            seats = 5 if len(faults) > 1 else 2
            found.append(Case(game=game, ruleset=ruleset, seats=seats, seed=number, faults=faults))
    return found


def write(game: str) -> None:
    """Writes the records of a game's present version that are not there; the others stay."""
    file = FOLDER / f"{game}-{GAMES[game].version}.jsonl"
    before = file.read_text() if file.exists() else ""
    there = {json.loads(line)["case"] for line in before.splitlines()}
    lines = []
    for case in cases(game):
        if case.name in there:
            continue
        record = case.play()
        lines.append(
            {
                "case": case.name,
                "decisions": verify(GAMES[game], record),
                "termination": record.outcome.termination,
                "record": record.to_bytes().hex(),
            }
        )
    file.write_text(before + "".join(json.dumps(line) + "\n" for line in lines))


if __name__ == "__main__":
    for name in GAMES:
        write(name)
