"""The odds of described positions and of decisions in stored matches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from arena.core.errors import BadInput, ParseError
from arena.core.game import AnyGame
from arena.core.parts import Odds
from arena.core.record import MatchRecord
from arena.core.state import State
from arena.match.replay import replay
from arena.plugins.registry import Registry
from arena.service.answers.rows import Document


class PositionOdds(msgspec.Struct, frozen=True, kw_only=True):
    """The odds at a decision.

    Attributes:
        position: What its seat sees, as text.
        actions: By action: the win probability after it, by what the seat knows; empty where that
            is not evaluated.
        evaluator: Name of what evaluates it; empty if the game has nothing.
        assumption: What those win probabilities take for granted, as a clause; empty if nothing.
    """

    game: str
    ruleset: str
    seat: int
    position: str
    odds: tuple[Odds, ...]
    actions: dict[str, float]
    evaluator: str
    assumption: str

    def document(self) -> Document:
        """The JSON document of ``arena odds``."""
        document: Document = msgspec.to_builtins(self)
        return document


def described_odds(
    registry: Registry, name: str, ruleset: str, keys: Mapping[str, str]
) -> PositionOdds:
    """Computes the odds of a described position.

    Args:
        name: The game.
        ruleset: The ruleset as typed; the default row if it is empty.
        keys: The keys of the game that describe it, with their values.

    Raises:
        BadInput: There is no such game or ruleset, or the keys describe no position.
    """
    game = registry.game(name)
    row = game.ruleset(ruleset)
    return state_odds(game, ruleset_name=row.name, state=game.odds.position(row, keys))


def record_odds(game: AnyGame, record: MatchRecord, move: int) -> PositionOdds:
    """Computes the odds at a decision of a record.

    Raises:
        BadInput: The decision does not exist, or the game computes no odds.
        Divergence: The record does not re-execute to its contents.
    """
    played = game.at_version(record.engine)
    decisions = 0
    for step in replay(played, record):
        if step.action is not None:
            decisions = step.move + 1
            if step.move == move:
                return state_odds(played, record.ruleset, step.state)
    raise BadInput(f"there is no decision {move}: the match has {decisions}, counted from 0")


def read_keys(texts: Sequence[str]) -> dict[str, str]:
    """Reads ``key=value`` strings; raises ``ParseError``."""
    keys: dict[str, str] = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not equals or not key or key in keys:
            raise ParseError(f"{text[:40]!r}: write every key of the position once, as key=value")
        keys[key] = value
    return keys


def state_odds(game: AnyGame, ruleset_name: str, state: State[Any]) -> PositionOdds:
    """Computes the odds at a decision, by what its seat knows."""
    seat = state.current_player()
    evaluator = game.luck.decision_values(game.ruleset(ruleset_name))
    values = evaluator.of(state) if evaluator else {}
    return PositionOdds(
        game=game.name,
        ruleset=ruleset_name,
        seat=seat,
        position=game.render(state.observation(seat)),
        odds=tuple(game.odds.at(state, seat)),
        actions={action.text: (1 + value) / 2 for action, value in values.items()},
        evaluator=evaluator.name if evaluator and values else "",
        assumption=evaluator.assumption if evaluator and values else "",
    )


def odds_text(odds: PositionOdds) -> str:
    """The odds, event by event, and the win probability of each action, a line each."""
    lines = []
    for event in dict.fromkeys(each.event for each in odds.odds):
        shares = [
            f"{each.outcome} {100 * each.odds:.1f} %" for each in odds.odds if each.event == event
        ]
        about = any(each.approximate for each in odds.odds if each.event == event)
        lines.append(f"{event}{' (approximate)' if about else ''}: {', '.join(shares)}")
    if odds.actions:
        condition = f", {odds.assumption}" if odds.assumption else ""
        lines += ["", f"To win the match{condition} ({odds.evaluator}):"]
        lines += [f"  {action}: {100 * value:.1f} %" for action, value in odds.actions.items()]
    return "\n".join(lines)
