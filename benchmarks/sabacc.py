"""Measures hands of Sabacc: hands/s per core with everything on, and hands ranked a second.

Run by ``make bench``, in processor time, with ratios to the calibration loop
(``benchmarks.timing``). Threshold bots through the path of real matches: views, legality, clock,
seeding, records. The last row has everything the rule book knows: six seats, chips, dice, slips.
"""

from __future__ import annotations

import sys
import time
from itertools import combinations

from arena.core.record import MatchRecord
from arena.core.tournaments.wire import decode_matches, encode
from arena.games.sabacc.cards.cards import DECK
from arena.games.sabacc.cards.ranking import ranker
from arena.games.sabacc.engine.state import SabaccState
from arena.games.sabacc.game import Sabacc
from arena.host.play.worker import Setup, play_chunk
from arena.match.limits import Limits
from arena.match.replay import replay
from arena.plugins.registry import Registry
from arena.service.answers.engine import engine
from benchmarks.measuring import jobs_of_round, one_pairing
from benchmarks.timing import RUNS, print_calibration, speed

MATCHES = 120
"""Matches of one timed run."""

ROWS = (
    (2, "old_republic"),
    (4, "old_republic(mode=points,target=300)"),
    (6, "old_republic(mode=chips)"),
    (6, "old_republic(betting=poker,mode=chips)"),
    (6, "variable(dice=true,mode=chips)"),
)
"""Seats and rules of each figure."""


def hands_of(game: Sabacc, record: MatchRecord) -> int:
    """Number of hands that a match had."""
    *_, last = replay(game, record)
    assert isinstance(last.state, SabaccState)
    return last.state.hand.match.hand_number


def matches(seats: int, rules: str) -> None:
    """One row: matches on one core, in memory."""
    game = Sabacc()
    bots = tuple(Registry().resolve_bot("target-total") for _ in range(seats))
    setup = Setup(game.name, game.ruleset(rules).name, bots, Limits()).to_bytes()
    jobs = encode(jobs_of_round(one_pairing(seats), MATCHES))
    played = decode_matches(play_chunk(setup, jobs))
    hands = sum(hands_of(game, match.record) for match in played)
    decisions = sum(sum(match.measurement.requests) - seats for match in played)
    found = speed(lambda: play_chunk(setup, jobs), hands)
    each = decisions / hands
    print(
        f"{seats} seats, {rules:38} {found.rate:8,.0f} hands/s{1e6 / found.rate / each:8.2f} "
        f"µs a decision{each:7.1f} a hand{found.ratio:10,.1f} a loop"
    )


def ranking() -> None:
    """Every hand of three cards ranked, codes seen for the first time included."""
    rules = Sabacc().ruleset()
    hands = list(combinations(DECK, 3))
    rates = []
    for _ in range(RUNS):
        ranker.cache_clear()
        rank = ranker(rules, rules.row).rank
        began = time.process_time()
        for hand in hands:
            rank(hand)
        rates.append(len(hands) / (time.process_time() - began))
    print(f"ranker {max(rates):,.0f} hands/s over all {len(hands):,} hands of three cards")


def main() -> None:
    """Prints every figure."""
    print(
        f"Python {sys.version.split()[0]}, {engine()}, {RUNS} runs of {MATCHES} matches, one core"
    )
    print_calibration()
    for seats, rules in ROWS:
        matches(seats, rules)
    ranking()


if __name__ == "__main__":
    main()
