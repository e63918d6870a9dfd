import copy
import pickle

import pytest

from arena.core.chance.dealer import SeatStreams
from arena.core.chance.seeding import generator
from arena.core.errors import ParseError
from arena.games.pazaak.engine.actions import DRAWS, SEAT_ACTIONS, STARTS, deal, play
from arena.games.pazaak.engine.cards import CATALOGUE, DECK_CARDS, card_named, square
from arena.games.pazaak.engine.history import events_of
from arena.games.pazaak.parts.situation import lying
from tests.games.pazaak.table import PAZAAK, Table

DECK_SQUARES = [square(value, card) for value, card in enumerate(DECK_CARDS, 1)]


@pytest.mark.parametrize("action", SEAT_ACTIONS, ids=str)
def test_an_action_reads_back_from_its_text_and_its_id(action):
    assert PAZAAK.notation.action(action.text) is action
    assert PAZAAK.notation.action_of(action.id) is action
    assert SEAT_ACTIONS[action.id] is action


def test_the_spelling_of_plus_minus_is_free():
    assert PAZAAK.notation.action(" play +/-4 as -4 ").text == "play ±4 as -4"


@pytest.mark.parametrize("text", ["", "fold", "play", "play ±4", "play +4 as -4", "play 7"])
def test_what_is_no_action_is_named(text):
    with pytest.raises(ParseError, match="no action"):
        PAZAAK.notation.action(text)


@pytest.mark.parametrize("number", [-1, len(SEAT_ACTIONS), 10_000])
def test_ids_beyond_the_actions_are_named(number):
    with pytest.raises(ParseError, match=f"no action has id {number}"):
        PAZAAK.notation.action_of(number)


def test_interned_things_survive_pickling_as_themselves():
    things = [*SEAT_ACTIONS, *DRAWS, *STARTS, *CATALOGUE, *DECK_SQUARES, deal(CATALOGUE[:4])]
    for thing in things:
        assert pickle.loads(pickle.dumps(thing)) is thing
        assert copy.deepcopy(thing) is thing


def test_play_chooses_among_a_cards_values():
    assert play(card_named("±4"), -4).text == "play ±4 as -4"
    assert play(card_named("±4"), 3) is None
    assert play(card_named("±4")) is None
    assert play(card_named("+4")).text == "play +4"
    assert play(card_named("D")).text == "play D"


def test_history_reads_as_events():
    state = PAZAAK.new_state(
        PAZAAK.ruleset(), [PAZAAK.loadouts.accept(PAZAAK.ruleset(), None)] * 2, SeatStreams(1)
    )
    rng = generator(1)
    while not state.is_terminal():
        state.apply_action(rng.choice(state.legal_actions()))
    events = events_of(state.history)
    assert len(events) == len(state.history)
    assert [event.kind for event in events[:2]] == ["opening draw"] * 2
    won = [event for event in events if event.kind == "won"]
    assert [sum(event.seat == seat for event in won) for seat in (0, 1)] == state.sets
    assert sum(event.kind == "start" for event in events) == state.set_number
    assert PAZAAK.notation.events(state.history) == tuple(map(str, events))


@pytest.mark.parametrize("byte", [40, 52, 70, 127, 255])
def test_a_byte_that_is_no_event_is_named(byte):
    with pytest.raises(ParseError, match=f"byte 0: expected an event, got {byte}"):
        events_of(bytes((byte,)))


def test_an_observation_is_rendered_for_a_person():
    table = Table(a="10 ±4:-4", b="10 9", hands=("+1 D", "-2"), standing=(False, True)).draw(3)
    assert PAZAAK.render(table.state.observation(0)).splitlines() == [
        "Set 1, seat 0 started; sets won 0 : 0",
        "  you, seat 0    [10] [±4:-4] [3] [ ] [ ] [ ] [ ] [ ] [ ]  = 9",
        "  rival, seat 1  [10] [9] [ ] [ ] [ ] [ ] [ ] [ ] [ ]  = 19 stands",
        "  your hand: +1 D; rival holds 1",
        "  choices: end turn, stand, play +1, play D",
    ]


def test_rendering_hides_the_rivals_hand():
    state = Table(a="10", b="9", hands=("+1", "D D")).draw(3).state
    assert "D" not in PAZAAK.render(state.observation(0))


def test_a_position_takes_cards_in_any_description():
    assert [str(lying(card)) for card in (7, -4, 18, (2, "+2"), DECK_SQUARES[4])] == [
        "7",
        "-4",
        "18",
        "2",
        "5",
    ]
    with pytest.raises(ParseError):
        lying((1, "nosuch"))


def test_a_position_with_a_dealer_passes_the_draw():
    state = PAZAAK.positions.state(PAZAAK.ruleset(), tables=((4,), ()), dealer=SeatStreams(1))
    assert len(state.tables[0]) == 2
    assert state.current_player() == 0


def test_by_default_a_position_counts_sets_by_the_score():
    position = PAZAAK.positions.state
    assert position(PAZAAK.ruleset(), sets=(1, 1)).set_number == 3
    assert position(PAZAAK.ruleset(), sets=(1, 1), set_number=9).set_number == 9
