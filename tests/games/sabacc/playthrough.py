"""Golden playthroughs of Sabacc: whole matches written out for people who know the rules."""

from __future__ import annotations

from pathlib import Path

from arena.core.chance.dealer import Dealer, SeatStreams
from arena.games.sabacc.engine import chance
from arena.games.sabacc.engine.actions import SabaccAction
from arena.games.sabacc.engine.stages import CARD
from arena.games.sabacc.engine.state import SabaccState
from arena.games.sabacc.game import Sabacc
from arena.testing.playthrough import Heading, Playthrough, playthrough
from tests.games.sabacc.narration import Narrator
from tests.games.sabacc.play import make_pile
from tests.games.sabacc.sensible import choose

SABACC = Sabacc()


class SlowDealer:
    """A dealer that answers one question of chance at a time, so that each can be narrated."""

    def __init__(self, dealer: Dealer) -> None:
        self._dealer = dealer

    def answer(self, state: SabaccState) -> SabaccAction:
        hand = state.hand
        if hand.need == CARD and hand.deck.pile is None:
            make_pile(hand, self._dealer)
        return chance.answer(hand, self._dealer)


def slowly(seed: int):
    """The deal of a match, one question after the other."""
    return SlowDealer(SeatStreams(seed)).answer


def played(path: Path) -> Playthrough:
    """Plays and narrates the match of a file's heading."""
    heading = Heading.read(path.read_text("utf-8"))
    return playthrough(SABACC, heading, choose, slowly, Narrator)
