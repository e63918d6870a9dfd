"""The stages of a hand as data, a row for each way to play, and the requests to chance."""

from __future__ import annotations

from typing import Final

from arena.games.sabacc.cards.rulesets import SabaccRules

# Stages. ``BET_IF_DRAWN`` is passed over when nobody drew (004:300-304, "if drawn"); ``RAISING`` is
# stage 6; in ``OPEN_BETTING`` the exchange comes when somebody demands it.
DEAL: Final = 0
FIRST_DRAW: Final = 1
SECOND_DRAW: Final = 2
EXCHANGE: Final = 3
BET: Final = 4
BET_IF_DRAWN: Final = 5
RAISING: Final = 6
OPEN_BETTING: Final = 7
SHOWDOWN: Final = 8
OVER: Final = 9

STAGE_NAMES = (
    "deal", "first draw", "second draw", "exchange", "betting", "betting", "raising", "betting",
    "showdown", "over",
)  # fmt: skip

DRAWS = (FIRST_DRAW, SECOND_DRAW)
BETTING = (BET, BET_IF_DRAWN, RAISING, OPEN_BETTING)

# Requests to chance: nothing, a card from the deck for a seat, the die, which card of a hand goes
# to the shuffle, which card of the shuffle comes back, and a slip.
NONE: Final = 0
CARD: Final = 1
DIE: Final = 2
PICK: Final = 3
GET: Final = 4
SLIP: Final = 5

# Events that the clock makes due (section 11).
SLIP_DUE: Final = 1
ROLL_DUE: Final = 2

_PLAIN = (FIRST_DRAW, SECOND_DRAW, EXCHANGE)
_POKER = (BET, FIRST_DRAW, BET_IF_DRAWN, SECOND_DRAW, BET_IF_DRAWN, EXCHANGE, BET)
_BY_BETTING = {
    "staged": (*_POKER, RAISING),
    "alternating": (FIRST_DRAW, SECOND_DRAW, OPEN_BETTING),
    "poker": _POKER,
}


def stages_of(rules: SabaccRules) -> tuple[int, ...]:
    """The stages between the deal and the showdown (sections 3 and 11)."""
    return _BY_BETTING[rules.betting] if rules.mode == "chips" else _PLAIN
