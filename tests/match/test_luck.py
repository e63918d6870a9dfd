"""The luck of records: every chance event with its place, of any game with a value function."""

import pytest

from arena.core.errors import BadInput, Divergence
from arena.core.parts import Luck
from arena.core.parts.value import ValueFunction
from arena.games.pazaak.parts.value import no_hands
from arena.host.bot.inline import play_inline
from arena.match.limits import Limits
from arena.match.luck import chance_events, luck_by_seat
from arena.match.replay import replay
from arena.testing.scripted import RandomBot
from tests.match.bots import PAZAAK, STANDARD, Answers, against_random, first_legal, play, raising
from tests.match.test_replay import tampered
from tests.testing.toy_game import RULES, Toy

VALUES = no_hands(STANDARD)
TOY = Toy()


class HigherCard(ValueFunction):
    """Knows both cards of the toy game; its die has no value."""

    name, hash = "higher card", "of no coefficients"

    def value(self, state):
        if len(state.cards) < 2:
            lead = (state.cards[0] - 2) / 2 if state.cards else 0.0
        else:
            lead = 1.0 if state.cards[0] > state.cards[1] else -1.0
        return lead, -lead


def test_every_card_that_is_drawn_is_an_event_at_its_line():
    record = play(RandomBot(), RandomBot())[0]
    lines, seen = [], 0
    for step in replay(PAZAAK, record):
        history = step.state.observation(0).history
        lines.append(PAZAAK.notation.events(history[seen:]))
        seen = len(history)
    events = [each for each in chance_events(PAZAAK, record, VALUES) if each.line is not None]
    assert all(lines[each.move][each.line] == each.event for each in events)
    drawn = [line for of_move in lines for line in of_move if "draws" in line]
    assert [each.event for each in events] == drawn


def test_luck_is_what_a_seat_gained_by_cards():
    record = play(RandomBot(), RandomBot())[0]
    events = list(chance_events(PAZAAK, record, VALUES))
    assert all(first == -second for first, second in (each.luck for each in events))
    assert luck_by_seat(PAZAAK, record, VALUES)[0] == pytest.approx(
        sum(each.luck[0] for each in events)
    )
    hands = [each for each in events if each.line is None]
    assert [each.luck for each in hands] == [(0, 0), (0, 0)]


def test_a_match_that_a_fault_ended_has_the_luck_up_to_it():
    crashed = against_random(Answers(raising(ValueError())), 1)[0]
    assert any(luck_by_seat(PAZAAK, crashed, VALUES))
    unseated = against_random(Answers(first_legal, 7), 1)[0]
    assert luck_by_seat(PAZAAK, unseated, VALUES) == (0, 0)


def test_a_record_that_does_not_re_execute_has_no_luck():
    record = play(RandomBot(), RandomBot())[0]
    with pytest.raises(Divergence):
        luck_by_seat(PAZAAK, tampered(record, actions=record.actions[:-1]), VALUES)


@pytest.mark.parametrize("seed", range(5))
def test_a_game_that_hides_chance_is_found_out_by_what_seats_see(seed):
    makers = (lambda: RandomBot(), lambda: RandomBot())
    record, _ = play_inline(TOY, RULES, seed, 1, makers, "ab", Limits())
    events = list(chance_events(TOY, record, HigherCard()))
    assert [each.line is None for each in events] == [True, True, False, False, False, False]
    assert luck_by_seat(TOY, record, HigherCard()) == pytest.approx(record.outcome.returns)


def test_of_what_nobody_sees_the_game_has_to_give_the_outcome():
    class Blind(TOY.state):
        def own(self, seat):
            return None

    node = Blind()
    later = node.clone()
    for _ in range(3):
        later.apply_action(later.legal_actions()[0])
    with pytest.raises(BadInput, match="5 outcomes of a chance node"):
        Luck(TOY).outcome(node, later)
