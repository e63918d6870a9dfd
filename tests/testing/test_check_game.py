"""``check_game``: honest games pass, and a broken promise is named."""

import json
import os
import re
import sys
from fractions import Fraction

import msgspec
import pytest

from arena.core.actions import Action
from arena.core.errors import BadInput, IllegalAction, UnknownName
from arena.core.outcome import Outcome
from arena.core.state import CHANCE
from arena.games.pazaak.engine.state import PazaakState
from arena.games.pazaak.game import Pazaak
from arena.testing.check_game import check_game
from tests.sizes import volume
from tests.testing.toy_game import (
    DEALS,
    PASS,
    RAISE,
    ROLLS,
    RULES,
    Toy,
    ToyNotation,
    ToyObservation,
    ToyState,
    broken,
)

PAZAAK = Pazaak()

SPELLINGS = [
    "standard",
    "wiki",
    "console",
    "kotor1",
    "table",
    "standard(hand_scope=set,next_set=loser)",
    "standard(opening_cards=burn,main_deck=forty_each)",
    "standard(opening_cards=burn,next_set=random,first_set=random)",
    "standard(flip_scope=both,bust_check=immediate)",
    "console(flip_lasts=match,flip_scope=both,double_of_negated=positive)",
    'standard(deck="very-hard",flip_without_target=illegal,specials_fill=false)',
    "standard(overshoot_spoils_fill=true,fill_overflow=allow_tenth,ninth_on_twenty=stand)",
    "wiki(flip_by=printed,tiebreaker_both=last_played,tiebreaker_scope=last_card,max_sets=2)",
]


@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.thorough("more rulesets", everyday=["standard", "console(*"])
def test_pazaak_keeps_every_promise(spelling):
    rules = PAZAAK.ruleset(spelling)
    report = check_game(PAZAAK, rules, redeals=800, seed=3)
    assert report.problems == ()
    assert report.passed
    assert report.redeals >= 800
    assert report.other_worlds > 0.7 * report.redeals
    assert min(report.checks.values()) > 5
    assert len(report.checks) == (21 if PAZAAK.loadouts.offer(rules, 0) else 20)
    assert "public events that show hidden cards" not in report.checks


def test_the_toy_keeps_every_promise():
    report = check_game(Toy(), RULES, redeals=2000)
    assert report.problems == ()
    assert report.other_worlds > 0.6 * report.redeals


def test_a_former_version_of_a_game_says_which_it_is():
    class Versioned(Toy):
        version = "2"
        former = {"0": Toy(), "1": Toy()}

    assert Versioned().at_version("1") is Versioned.former["1"]
    report = check_game(Versioned(), RULES, redeals=50)
    assert report.problems
    says = "as of version 0 it says that it is version 1"
    assert all(shown.endswith(says) for shown in report.problems)


def test_events_that_need_the_beginning_of_the_history_are_found():
    class Counting(ToyNotation):
        def events(self, history):
            return tuple(f"turn {turn}: {code}" for turn, code in enumerate(history))

    class Counted(Toy):
        notation = Counting()

    report = check_game(Counted(), RULES, redeals=50)
    assert "events of a part of the history are ('turn 0: 2" in " ".join(report.problems)


def test_a_game_of_one_version_refuses_every_other():
    assert Toy().at_version(Toy.version).version == Toy.version
    with pytest.raises(UnknownName, match="version '0' of the toy engine; choices: 1"):
        Toy().at_version("0")


@pytest.mark.parametrize("redeals", [0, -5])
def test_a_check_without_redeals_is_refused(redeals):
    with pytest.raises(BadInput, match=f"redeals: expected 1 or more, not {redeals}"):
        check_game(Toy(), RULES, redeals)


def test_a_check_is_reproducible():
    assert check_game(Toy(), RULES, 300, seed=5) == check_game(Toy(), RULES, 300, seed=5)
    assert check_game(Toy(), RULES, 300, seed=5) != check_game(Toy(), RULES, 300, seed=6)


def rivals_card(self, seat):
    return self.cards[1 - seat] if len(self.cards) == 2 else None


def rivals_card_once_raised(self, seat):
    return rivals_card(self, seat) if self.raises else None


def echoing_resample(self, observation, rng):
    state = Toy.resample(self, observation, rng)
    if observation.extra is not None:
        state.cards[1 - observation.seat] = observation.extra
    return state


def shared_clone(self, dealer=None):
    twin = ToyState.clone(self, dealer)
    twin.raises = self.raises
    return twin


def accepts_anything(self, action):
    known = any(action is legal for legal in self.legal_actions())
    self.take(action if known else PASS)
    self.answer()


def refuses_a_legal_one(self, action):
    if action is RAISE and self.turns == 1:
        raise IllegalAction("not now")
    ToyState.apply_action(self, action)


def changes_while_refusing(self, action):
    try:
        ToyState.apply_action(self, action)
    except IllegalAction:
        self.history += b"\x00"
        raise


def asks_eq(self, action):
    if action not in self.legal_actions():
        raise IllegalAction("no")
    self.take(next(legal for legal in self.legal_actions() if legal == action))
    self.answer()


def forgets(self, seat):
    seen = ToyState.observation(self, seat)
    return ToyObservation(seat, seen.legal_actions, self.history[-2:], seen.card, len(self.history))


def loaded_die(self):
    odds = ToyState.chance_outcomes(self)
    if self.phase != "roll":
        return odds
    return tuple(zip(ROLLS, (Fraction(n, 10) for n in (1, 2, 3, 4)), strict=True))


def odds_beyond_one(self):
    return tuple((action, odd * 2) for action, odd in ToyState.chance_outcomes(self))


def three_faces(self):
    odds = ToyState.chance_outcomes(self)
    return odds if self.phase != "roll" else tuple((roll, Fraction(1, 3)) for roll in ROLLS[:3])


def ends_with(returns, scores=(0, 0)):
    """The outcome of a finished match; ``returns`` may depend on the cards."""

    def outcome(self):
        if self.phase != "over":
            raise IllegalAction("not over")
        return Outcome(returns(self.cards) if callable(returns) else returns, scores)

    return outcome


def low_cards_pay(cards):
    return tuple(float(card < 3) for card in cards)


def deals_the_highest_to_seat_0(self):
    while self.dealer is not None and self.phase == "deal":
        if self.cards:
            left = [card for card in range(5) if card not in self.cards]
            self.take(DEALS[self.dealer.pile("second", left, 1).draw(0)])
        else:
            self.take(DEALS[4])
    ToyState.answer(self)


def leans_towards_low_cards(self):
    while self.dealer is not None and self.phase == "deal":
        left = [card for card in range(5) if card not in self.cards]
        pile = self.dealer.pile(f"card/{len(self.cards)}", [*left, left[0], left[0]], 1)
        self.take(DEALS[pile.draw(0)])
    ToyState.answer(self)


WHEEL = tuple(Action(id=100 + number, text=f"number {number}") for number in range(40))


def wheel(self):
    odds = ToyState.chance_outcomes(self)
    return odds if self.phase != "roll" else tuple((each, Fraction(1, 40)) for each in WHEEL)


def spins(numbers):
    """Lets dealers spin a wheel of these numbers in place of the die."""

    def answer(self):
        while self.dealer is not None and self.current_player() == CHANCE:
            if self.phase == "roll":
                spun = self.dealer.source(f"die/{self.turns}", numbers, 1).draw(0)
                self.take(WHEEL[spun])
            else:
                left = [card for card in range(5) if card not in self.cards]
                name = f"card/{len(self.cards)}"
                self.take(DEALS[self.dealer.pile(name, left, 1).draw(0)])

    return answer


def spun_again(game, observation, rng):
    fewer = bytes(code if code < 20 else 20 for code in observation.history)
    state = Toy.resample(game, msgspec.structs.replace(observation, history=fewer), rng)
    state.history = observation.history
    return state


def of_a_wheel(numbers):
    return broken(chance_outcomes=wheel, answer=spins(numbers), game_resample=spun_again)


def test_dealers_of_many_outcomes_are_counted():
    """A wheel of 40 numbers, each of which everybody sees."""
    assert check_game(of_a_wheel(range(40)), RULES, redeals=500).problems == ()
    report = check_game(of_a_wheel((0, 0, *range(40))), RULES, redeals=500)
    assert "dealers do not follow the odds: number 0 comes " in report.problems[-1]


def notes_odd_rolls_twice(self, action):
    ToyState.take(self, action)
    if action in (ROLLS[1], ROLLS[3]):
        self.history = self.history[:-1] + bytes((action.id - 1, 30))


def rolled_again(game, observation, rng):
    plain = observation.history
    for face in (1, 3):
        plain = plain.replace(bytes((19 + face, 30)), bytes((20 + face,)))
    return Toy.resample(game, msgspec.structs.replace(observation, history=plain), rng)


def test_events_of_one_answer_may_begin_with_those_of_another():
    game = broken(take=notes_odd_rolls_twice, game_resample=rolled_again)
    assert check_game(game, RULES, redeals=500).problems == ()


def always_an_outcome(self):
    return Outcome((0.0, 0.0), self.scores())


def endless(self, action):
    ToyState.take(self, action)
    if self.phase == "over":
        self.phase = "act"


def unrepeatable(self, seat):
    return os.urandom(4)


def secret_deal(self):
    while self.dealer is not None and self.phase == "deal":
        left = [card for card in range(5) if card not in self.cards]
        self.take(DEALS[left[os.urandom(1)[0] % len(left)]])
    ToyState.answer(self)


def mutable_extra(self, seat):
    return [1]


def says_pass_twice(self):
    return (PASS, PASS) if self.phase == "act" else ToyState.legal_actions(self)


def other_seat(self, seat):
    return ToyState.observation(self, 1 - seat)


def everybody_may(self, seat):
    seen = ToyState.observation(self, seat)
    return ToyObservation(seat, self.legal_actions(), seen.history, seen.card)


@pytest.mark.parametrize(
    ("game", "named"),
    [
        (broken(extra=rivals_card), "sees a difference: extra is"),
        (broken(extra=rivals_card_once_raised), "sees a difference: extra is"),
        (broken(extra=unrepeatable), "sees a difference: extra is"),
        (
            broken(clone=shared_clone, extra=lambda s, _: len(s.raises)),
            "an action on a clone changed the original|done to the original changed its clone",
        ),
        (broken(apply_action=accepts_anything), "is not legal, but was taken"),
        (broken(apply_action=asks_eq), "is not legal, but was taken"),
        (
            broken(apply_action=refuses_a_legal_one),
            "raise is legal, but was refused|IllegalAction: not now",
        ),
        (broken(apply_action=changes_while_refusing), "was refused but changed things"),
        (broken(observation=forgets), "has forgotten some of its history"),
        (broken(chance_outcomes=loaded_die), "dealers do not follow the odds"),
        (broken(chance_outcomes=odds_beyond_one), "the probabilities of chance sum to 2"),
        (broken(chance_outcomes=three_faces), "dealt what has no probability"),
        (broken(answer=deals_the_highest_to_seat_0), "follow the odds: of card of seat 0"),
        (broken(answer=leans_towards_low_cards), "follow the odds: of card of seat [01]"),
        (
            broken(outcome=ends_with(low_cards_pay)),
            "neither zero-sum nor constant-sum; a general-sum",
        ),
        (
            broken(outcome=ends_with((float("inf"), float("-inf")))),
            r"the returns \(inf, -inf\) are not finite",
        ),
        (broken(outcome=always_an_outcome), "returns before the end"),
        (broken(outcome=ends_with((1.0, -1.0), (9, 9))), r"scores\(\) and outcome\(\) disagree"),
        (broken(take=endless), "no end after 60 decisions"),
        (broken(answer=secret_deal), "the same seed gives another match"),
        (broken(extra=mutable_extra), "it raised TypeError: unhashable"),
        (broken(observation=other_seat), "gets the observation of seat"),
        (broken(observation=everybody_may), "sees other legal actions"),
        (broken(scores=lambda self: 1 // 0), "it raised ZeroDivisionError"),
        (broken(legal_actions=says_pass_twice), "no legal action, or one twice"),
        (broken(legal_actions=lambda self: (PASS, PASS)), "chance's odds and legal actions differ"),
    ],
    ids=lambda x: None if isinstance(x, Toy) else x[:40],
)
def test_a_broken_promise_is_named(game, named, monkeypatch):
    monkeypatch.setattr(sys.modules[check_game.__module__], "MAX_DECISIONS", 60)
    report = check_game(game, RULES, redeals=volume(3000, everyday=1000))
    assert not report.passed
    assert re.search(named, " / ".join(report.problems)), report.problems
    assert len(report.problems) <= 10


def raises_always(self, state, rng):
    return RAISE


def reads_the_rivals_card(self, state, rng):
    higher = state.cards[1 - state.current_player()] > 2
    return state.legal_actions()[0 if higher else -1]


def draws_elsewhere(self, state, rng):
    legal = state.legal_actions()
    return legal[os.urandom(1)[0] % len(legal)]


def plays_on(self, state, rng):
    action = state.legal_actions()[0]
    state.apply_action(action)
    return action


def counts_a_raise(self, state):
    state.raises.append(state.turns)
    return 0.0, 0.0


@pytest.mark.parametrize(
    ("method", "policy", "named"),
    [
        ("playout_action", raises_always, "playout_action gives raise.*, which is not legal"),
        ("playout_action", lambda *_: Action(id=0, text="pass"), "which is not legal"),
        ("playout_action", lambda *_: None, "playout_action gives None, which is not legal"),
        ("playout_action", reads_the_rivals_card, "playout_action looks at hidden things: "),
        ("playout_action", draws_elsewhere, "playout_action gives .*, then .* in the same state"),
        ("playout_action", plays_on, "playout_action changes the state"),
        ("playout_action", lambda *_: 1 // 0, "it raised ZeroDivisionError"),
        ("evaluate", lambda *_: (0.0,), "evaluate gives 1 numbers for 2 seats"),
        ("evaluate", lambda *_: (2.0, -2.0), "beyond -1..1"),
        ("evaluate", lambda *_: (0.5, 0.5), "do not sum to 0"),
        ("evaluate", counts_a_raise, "evaluate changes the state"),
    ],
)
def test_a_broken_hook_for_playouts_is_named(method, policy, named):
    report = check_game(broken(**{f"search_{method}": policy}), RULES, redeals=500)
    assert re.search(named, " / ".join(report.problems)), report.problems


def test_a_resample_that_echoes_a_leak_shows_as_no_other_worlds():
    game = broken(extra=rivals_card, game_resample=echoing_resample)
    report = check_game(game, RULES, redeals=500)
    assert report.other_worlds == 0


def test_a_problem_names_its_match_and_decision():
    report = check_game(broken(extra=rivals_card), RULES, redeals=500)
    assert report.problems[0].startswith("match 1 (2 seats), move ")


def fails_at_its_second_line(self, seat):
    return self.cards[seat] // 0


def test_an_error_is_named_once_with_its_line_in_the_game():
    line = fails_at_its_second_line.__code__.co_firstlineno + 1
    report = check_game(broken(extra=fails_at_its_second_line), RULES, redeals=500)
    (problem,) = [each for each in report.problems if "division" in each]
    assert re.fullmatch(
        r"match 1 \(2 seats\), move 0, and in \d+ more matches: it raised ZeroDivisionError: .* by "
        rf"zero \(tests/testing/test_check_game\.py, line {line}\)",
        problem,
    )


def test_an_error_below_a_game_is_placed_in_the_games_own_code():
    report = check_game(broken(extra=lambda self, seat: json.loads("{")), RULES, redeals=500)
    assert re.search(r"JSONDecodeError: .* \(tests/testing/test_check_game", report.problems[0])


def test_a_name_that_no_project_can_have_fails():
    report = check_game(broken(game_name="Bad Name"), RULES, redeals=500)
    assert report.problems == (
        "game name 'Bad Name' cannot name a distribution; use letters, digits, - and _, with a "
        "letter or digit at both ends",
    )


def test_a_leak_in_pazaak_would_be_found(monkeypatch):
    honest = PazaakState.observation

    def leaky(self, seat):
        seen = honest(self, seat)
        hint = sum(card.id for card in self.hands[1 - seat]) % 2
        return type(seen)(
            *[
                hint if field == "rival_sets" else getattr(seen, field)
                for field in seen.__struct_fields__
            ]
        )

    monkeypatch.setattr(PazaakState, "observation", leaky)
    report = check_game(PAZAAK, PAZAAK.ruleset(), redeals=500)
    assert "sees a difference" in report.problems[0]
