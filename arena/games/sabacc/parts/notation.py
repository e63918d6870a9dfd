"""Sabacc written down: actions and events to text and back."""

from __future__ import annotations

import re
from functools import lru_cache

from arena.core.errors import ParseError
from arena.games.sabacc.cards.rulesets import MAX_CHIPS
from arena.games.sabacc.engine import actions
from arena.games.sabacc.engine.actions import SabaccAction, action_of, stake
from arena.games.sabacc.engine.history import events_of

_STAKE = re.compile(r"(put|bet|raise) (\d{1,5})( and demand the exchange)?")
_line = lru_cache(maxsize=4096)(str)
_KINDS = {"put": actions.PUT_, "bet": actions.BET_, "raise": actions.RAISE_}


class SabaccNotation:
    """The game's notation, as the core contract wants it."""

    def action(self, text: str) -> SabaccAction:
        spelled = " ".join(text.split())
        found = actions.BY_TEXT.get(spelled)
        staked = _STAKE.fullmatch(spelled)
        if staked and 1 <= int(staked[2]) <= MAX_CHIPS and not (staked[3] and staked[1] != "put"):
            found = stake(actions.DEMAND_ if staked[3] else _KINDS[staked[1]], int(staked[2]))
        if found is None:
            raise ParseError(
                f"no action {text[:40]!r}; write e.g. 'draw', 'pass', 'exchange 1 3', 'keep', "
                "'show Jedi Master', 'put 5', 'fold', 'check', 'call', 'bet 5', 'raise 5', 'all in'"
            )
        return found

    def action_of(self, id: int) -> SabaccAction:
        try:
            return action_of(id)
        except KeyError:
            raise ParseError(f"no action has id {id}") from None

    def events(self, history: bytes) -> tuple[str, ...]:
        return tuple(map(_line, events_of(history)))
