"""The bettor by equity and pot odds."""

import pytest
from arena_bots.sabacc.equity_bettor import EquityBettor
from arena_bots.sabacc.exact_drawer import ExactDrawer
from arena_bots.sabacc.match_chances import lead_is_safe
from arena_bots.sabacc.stakes import answering, growing, reserve, stay
from arena_bots.sabacc.worlds import equity

from arena.core.chance.seeding import generator
from arena.core.errors import ParseError
from arena.games.sabacc.engine.actions import FOLD
from arena.games.sabacc.engine.stages import BET, OPEN_BETTING, RAISING
from tests.bots.sabacc.play import (
    ALTERNATING,
    CHIPS,
    POKER,
    SABACC,
    STRONG,
    WEAK,
    choice,
    score,
    seen,
)

BOMB = "Ace of Coins, Ace of Flasks, Ace of Staves, Ace of Sabers"


def share(observation, samples=200):
    return equity(observation, SABACC, generator(5), samples)


def test_equity_rises_with_the_hand_and_falls_with_the_rivals_stakes():
    cheap = {"staked": (2, 2), "stage": RAISING}
    assert share(seen(CHIPS, BOMB, **cheap)) == 0
    weak, strong = (share(seen(CHIPS, hand, **cheap)) for hand in (WEAK, STRONG))
    assert weak < 0.4 < 0.75 < strong < 1
    dear = share(seen(CHIPS, "10 of Coins, 11 of Flasks", stage=RAISING, staked=(40, 40)))
    assert dear < share(seen(CHIPS, "10 of Coins, 11 of Flasks", **cheap)) - 0.1


def test_before_the_exchange_a_weak_hand_may_still_grow():
    assert share(seen(CHIPS, BOMB, stage=BET)) > 0.1
    assert share(seen(CHIPS, STRONG, stage=BET)) > 0.65


def test_one_world_is_enough():
    assert share(seen(CHIPS, STRONG, staked=(40, 40), stage=RAISING), samples=1) in (0, 0.5, 1)


@pytest.mark.parametrize(
    ("ruleset", "stage", "word"),
    [
        (CHIPS, BET, "put"),
        (CHIPS, RAISING, "put"),
        (POKER, BET, "bet"),
        (ALTERNATING, OPEN_BETTING, "put"),
    ],
)
def test_it_raises_a_good_pot_with_a_strong_hand(ruleset, stage, word):
    observation = seen(ruleset, STRONG, stage=stage, staked=(9, 9))
    chosen, chips = choice(EquityBettor(), observation).split()
    assert chosen == word
    assert 2 <= int(chips) <= 11


def test_a_middling_hand_calls_small_bets_and_folds_to_large_ones():
    hand = "10 of Coins, 6 of Flasks"
    cheap = seen(CHIPS, hand, stage=RAISING, staked=(9, 9), last_stake=1)
    dear = seen(CHIPS, hand, stage=RAISING, staked=(30, 30), last_stake=50)
    assert choice(EquityBettor(), cheap) == "put 1"
    assert choice(EquityBettor(), dear) == "fold"


@pytest.mark.parametrize("ruleset", [CHIPS, POKER, ALTERNATING])
def test_a_stake_that_no_rival_can_put_takes_the_pot(ruleset):
    stage = OPEN_BETTING if ruleset == ALTERNATING else BET
    observation = seen(ruleset, BOMB, stage=stage, amounts=(15, 7))
    assert choice(EquityBettor(), observation) in ("put 8", "bet 8")


def test_it_does_not_raise_a_rival_out_who_can_go_all_in():
    observation = seen(f"{CHIPS[:-1]},short_stack=all_in)", BOMB, stage=RAISING, amounts=(100, 7))
    assert choice(EquityBettor(), observation) == "fold"


def test_only_those_who_decide_later_answer_the_last_raise():
    last = {"stage": RAISING, "button": 0, "turn": 0, "staked": (9, 9, 9)}
    observation = seen(f"{CHIPS[:-1]},max_raises=1)", STRONG, WEAK, WEAK, **last)
    assert answering(observation) == ()
    assert choice(EquityBettor(), observation) == "put 1"
    more = seen(CHIPS, STRONG, WEAK, WEAK, **last)
    assert answering(more) == (1, 2)
    assert choice(EquityBettor(), more) != "put 1"


def poker(mine, theirs, put=0, ruleset=POKER, **described):
    """The first bet of a hand of poker betting, in which both have put so many chips."""
    described = {"stage": BET, "amounts": (mine, theirs), "staked": (put, put), **described}
    return seen(ruleset, STRONG, **described)


def test_the_reserve_answers_a_raise_now_and_a_bet_in_every_round_to_come():
    # Three rounds of betting follow the first; the cap is 20.
    assert reserve(poker(98, 100, 1)) == 80
    assert reserve(poker(100, 98, 1)) == reserve(poker(99, 99, 1)) == 0
    # Without a cap one bet is enough to price a shorter stack out.
    assert reserve(poker(98, 100, 1, f"{POKER[:-1]},cap=0)")) >= 98
    assert reserve(poker(98, 100, 1, f"{POKER[:-1]},short_stack=all_in)")) == 0
    assert reserve(poker(98, 100, 1, CHIPS)) == 0


def test_a_shorter_stack_does_not_raise_itself_out_of_the_pot():
    assert choice(EquityBettor(), poker(36, 40, 62)) == "check"
    assert choice(EquityBettor(), poker(40, 36, 62)).startswith("bet")
    early, chips = choice(EquityBettor(), poker(90, 91, 20)).split()
    assert (early, 1 <= int(chips) <= 10) == ("bet", True)
    assert int(choice(EquityBettor(), poker(91, 90, 20)).split()[1]) > 10


class MostBettor(ExactDrawer):
    """Bets the most that it can, whatever it holds, and folds as soon as the lead is safe."""

    def act(self, observation):
        return FOLD if lead_is_safe(observation) else super().act(observation)

    def bet(self, observation):
        stakes = growing(observation)
        return stakes[-1] if stakes else stay(observation)


class MostRaiser(EquityBettor):
    """Bets the most that it can, and else as the equity bettor does."""

    def bet(self, observation):
        stakes = growing(observation)
        return stakes[-1] if stakes else super().bet(observation)


@pytest.mark.parametrize("attacker", [MostBettor, MostRaiser])
@pytest.mark.thorough("its answers to large bets are tested above; it beats other bots")
def test_a_bot_that_always_bets_the_most_gains_nothing_in_poker_betting(attacker):
    assert score(EquityBettor, attacker, 40, POKER) > 0.45


@pytest.mark.parametrize(
    "parameter", [{"samples": 0}, {"edge": -0.1}, {"edge": 1.5}, {"size": -1.0}]
)
def test_a_number_out_of_range_is_refused_by_name(parameter):
    ((name, value),) = parameter.items()
    with pytest.raises(ParseError, match=rf"equity-bettor\({name}={value}\): {name} must be"):
        EquityBettor(**parameter)
