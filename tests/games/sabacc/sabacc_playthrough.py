"""Golden playthroughs: whole matches written out for people, from what their headings say.

``python tests/games/sabacc/sabacc_playthrough.py FILE ...`` writes files anew; of a new one the
heading is enough: a title, ``ruleset``, ``seats``, ``seed``, and ``expel`` for who is taken out
when (``seat 4 at move 8``, counted in decisions).
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from random import Random
from typing import NamedTuple

from sabacc_sensible import choose
from sabacc_telling import Teller

from arena.core.dealer import Dealer, SeatStreams
from arena.core.state import CHANCE
from arena.games.sabacc import chance
from arena.games.sabacc.actions import SabaccAction
from arena.games.sabacc.game import Sabacc
from arena.games.sabacc.stages import CARD
from arena.games.sabacc.state import SabaccState

SABACC = Sabacc()


class SlowDealer:
    """A dealer that answers one question of chance at a time, so that each can be told."""

    def __init__(self, dealer: Dealer) -> None:
        self._dealer = dealer
        self._deck = (0, 0)

    def answer(self, state: SabaccState) -> SabaccAction:
        deck = (state.hand_number, state.shuffles)
        if state.need == CARD and deck != self._deck:
            self._deck = deck
            state.deck = chance.deck_pile(state, self._dealer)
        return chance.answer(state, self._dealer)


class Played(NamedTuple):
    """A match that was played and told.

    Attributes:
        text: The whole playthrough.
        ruleset: The rules.
        seed: The deal.
        decisions: What the seats did, in order.
        expelled: Seats that were taken out, by the number of decisions before.
        state: The end.
    """

    text: str
    ruleset: str
    seed: int
    decisions: list[SabaccAction]
    expelled: dict[int, int]
    state: SabaccState


def playthrough(heading: str) -> Played:
    """Plays the match of a heading: the first lines of a playthrough, up to an empty one."""
    facts = dict(line.split(": ", 1) for line in heading.splitlines() if ": " in line)
    seats, seed = int(facts["seats"]), int(facts["seed"])
    expelled = {
        int(move): int(seat)
        for seat, move in re.findall(r"seat (\d) at move (\d+)", facts.get("expel", ""))
    }
    state = SABACC.new_state(SABACC.ruleset(facts["ruleset"]), [b""] * seats)
    dealer, rng = SlowDealer(SeatStreams(seed)), Random(seed)
    teller, decisions, waiting = Teller(state), list[SabaccAction](), dict(expelled)
    teller.begin(state)
    while not state.is_terminal():
        before, seat = state.clone(), state.current_player()
        if seat != CHANCE and len(decisions) in waiting:
            state.expel(waiting.pop(len(decisions)))
            teller.expelled(before, state)
            continue
        if seat == CHANCE:
            action = dealer.answer(state)
        else:
            action = choose(state.observation(seat), rng)
            decisions.append(action)
        state.apply_action(action)
        teller.step(before, action, state)
    assert not waiting, f"the match is over before {waiting}"
    teller.end(state.outcome())
    text = "\n".join([heading, *teller.lines, ""])
    return Played(text, facts["ruleset"], seed, decisions, expelled, state)


def heading_of(path: Path) -> str:
    """A file's first lines, up to an empty one."""
    return path.read_text("utf-8").split("\n\n", 1)[0].rstrip("\n")


if __name__ == "__main__":
    for name in sys.argv[1:]:
        Path(name).write_text(playthrough(heading_of(Path(name))).text, "utf-8")
