"""Tests of the bot, by the fixtures that Arena adds to pytest."""

from collections.abc import Callable
from functools import partial

import pytest
from arena_bot_cautious.bot import Cautious

from arena import MatchRecord
from arena.games.pazaak.engine.stages import ACT
from arena.testing import BotReport, Position


def test_breaks_no_match_in_any_seat(arena_check: Callable[..., BotReport]) -> None:
    """Twenty matches against random play; what it breaks is shown with its position."""
    assert arena_check(Cautious, game="pazaak").deterministic


@pytest.mark.parametrize(("total", "does"), [(12, "end turn"), (16, "stand")])
def test_stands_where_a_bust_is_likely(
    position: Callable[..., Position], total: int, does: str
) -> None:
    """Eight or more of the ten cards that may come are too many on 16, but not on 12."""
    here = position("pazaak", tables=([10, total - 10], [9]), phase=ACT)
    assert here.ask(Cautious) == does


def test_caution_beats_recklessness(play_match: Callable[..., MatchRecord]) -> None:
    """A bot that never stands by itself busts too often to win."""
    reckless = partial(Cautious, risk=1.0)
    matches = [play_match(Cautious, reckless, game="pazaak", seed=seed) for seed in range(20)]
    assert sum(match.outcome.returns[0] for match in matches) > 0


def test_refuses_a_risk_that_is_no_chance() -> None:
    """The arena shows this message before play."""
    with pytest.raises(ValueError, match="from 0 to 1"):
        Cautious(risk=7)
