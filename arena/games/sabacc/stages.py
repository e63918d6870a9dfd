"""The stages of a hand as data, a row for each way to play, and the requests to chance."""

from __future__ import annotations

from arena.games.sabacc.rulesets import SabaccRules

DEAL, FIRST_DRAW, SECOND_DRAW, EXCHANGE = range(4)
BET, BET_IF_DRAWN, RAISING, OPEN_BETTING, SHOWDOWN, OVER = range(4, 10)
"""Stages. ``BET_IF_DRAWN`` is passed over when nobody drew (004:300-304, "if drawn");
``RAISING`` is stage 6; in ``OPEN_BETTING`` the exchange comes when somebody demands it."""

STAGE_NAMES = (
    "deal", "first draw", "second draw", "exchange", "betting", "betting", "raising", "betting",
    "showdown", "over",
)  # fmt: skip

DRAWS = (FIRST_DRAW, SECOND_DRAW)
BETTING = (BET, BET_IF_DRAWN, RAISING, OPEN_BETTING)

NONE, CARD, DIE, PICK, GET, SLIP = range(6)
"""Requests to chance: nothing, a card from the deck for a seat, the die, which card of a
hand goes to the shuffle, which card of the shuffle comes back, and a slip."""

SLIP_DUE, ROLL_DUE = 1, 2
"""Events that the clock makes due (section 11)."""

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
