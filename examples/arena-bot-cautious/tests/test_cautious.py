"""Plays real matches: nothing here is known to the bot but the observations."""

from collections.abc import Callable
from functools import partial

import pytest
from arena_bot_cautious.bot import Cautious

from arena.core.outcome import Outcome, Termination
from arena.games.pazaak.game import Pazaak
from arena.host.inline import play_inline
from arena.match.clock import Limits

Maker = Callable[[], Cautious]


def play(first: Maker, second: Maker, seed: int) -> Outcome:
    """Plays one refereed match with new bots; the seed fixes the deal."""
    game = Pazaak()
    names = ("first", "second")
    record, _ = play_inline(game, game.ruleset(), seed, seed, (first, second), names, Limits())
    return record.outcome


def test_plays_to_the_end_by_the_rules() -> None:
    """Twenty whole matches against itself."""
    for seed in range(20):
        outcome = play(Cautious, Cautious, seed)
        assert outcome.termination is Termination.RULES, outcome.reason


def test_caution_beats_recklessness() -> None:
    """A bot that never stands by itself busts too often to win."""
    won = [play(Cautious, partial(Cautious, risk=1.0), seed).returns[0] for seed in range(20)]
    assert sum(won) > 0


def test_refuses_a_risk_that_is_no_chance() -> None:
    """The arena shows this message before play."""
    with pytest.raises(ValueError, match="from 0 to 1"):
        Cautious(risk=7)
