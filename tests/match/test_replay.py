"""``verify`` executes a record again, and names the first difference."""

import msgspec
import pytest

from arena.core.actions import unpack_ids
from arena.core.errors import Divergence
from arena.core.outcome import Outcome, Termination
from arena.match.replay import replay, verify
from arena.testing.scripted import RandomBot
from tests.match.bots import PAZAAK, Answers, against_random, first_legal, play, raising

RECORD = play(RandomBot(), RandomBot())[0]
CRASHED = against_random(Answers(raising(ValueError())), 1)[0]
UNSEATED = against_random(Answers(first_legal, 7), 1)[0]


def tampered(record=RECORD, **changes: object):
    return msgspec.structs.replace(record, **changes)


def ended(record=RECORD, **changes: object):
    return tampered(record, outcome=msgspec.structs.replace(record.outcome, **changes))


def test_a_replay_shows_every_decision_and_the_end():
    steps = list(replay(PAZAAK, RECORD))
    ids = unpack_ids(RECORD.actions)
    assert [step.move for step in steps] == list(range(len(ids) + 1))
    assert [step.action.id for step in steps[:-1]] == list(ids)
    assert all(step.state.current_player() == step.seat for step in steps[:-1])
    assert (steps[-1].seat, steps[-1].action) == (None, None)
    assert steps[-1].state.outcome() == RECORD.outcome


def test_the_states_of_a_replay_are_copies():
    steps = replay(PAZAAK, RECORD)
    first = next(steps)
    before = first.state.observation(first.seat)
    for _ in steps:
        pass
    assert first.state.observation(first.seat) == before


@pytest.mark.parametrize("record", [RECORD, CRASHED, UNSEATED], ids=["played", "crash", "deck"])
def test_honest_records_verify(record):
    assert verify(PAZAAK, record) == len(unpack_ids(record.actions))


def other_loadout():
    ruleset = PAZAAK.ruleset()
    from arena.games.pazaak.engine.cards import cards_named

    return PAZAAK.loadouts.accept(ruleset, cards_named("D D D D D D D D D D"))


@pytest.mark.parametrize(
    ("record", "why"),
    [
        (tampered(seed=RECORD.seed + 1), "move|outcome"),
        (tampered(actions=RECORD.actions[:-1]), "the match goes on, but the record ends"),
        (tampered(actions=RECORD.actions + b"\x00"), "the match is over, but the record goes on"),
        (tampered(actions=b"\x3f" + RECORD.actions[1:]), "move 0, seat .: no action has id 63"),
        (tampered(actions=b"\x80" + RECORD.actions), "not written as|no action|is not one of"),
        (tampered(actions=RECORD.actions + b"\x80"), "end inside a number"),
        (tampered(actions=b"\x80\x00"), "not written as"),
        (tampered(loadouts=(other_loadout(), other_loadout())), "is not one of"),
        (tampered(loadouts=(b"\xff" * 10, RECORD.loadouts[1])), "no side card has id 255"),
        (tampered(loadouts=(b"", RECORD.loadouts[1])), "has 10 cards, not 0"),
        (tampered(loadouts=RECORD.loadouts * 2), "cannot be set up"),
        (tampered(ruleset="console"), "outcome|move|is not"),
        (tampered(ruleset="nosuch"), "unknown pazaak ruleset"),
        (tampered(seed=-1), "cannot be set up"),
        (tampered(engine="0"), "made by version 0 of the pazaak engine"),
        (ended(returns=RECORD.outcome.returns[::-1]), "but the record says"),
        (ended(scores=(3, 3)), "but the record says"),
        (ended(termination=Termination.CAP), "but the record says"),
        (ended(termination=Termination.CRASH, offender=0, move=0), "was to decide|goes on"),
        (
            ended(termination=Termination.CRASH, offender=0, move=len(unpack_ids(RECORD.actions))),
            "the match is over, but the record goes on",
        ),
        (ended(reason="because"), "but the record says"),
    ],
)
def test_a_tampered_record_diverges(record, why):
    with pytest.raises(Divergence, match=why):
        verify(PAZAAK, record)


@pytest.mark.parametrize("record", [CRASHED, UNSEATED], ids=["crash", "deck"])
@pytest.mark.parametrize(
    "changes",
    [
        {"offender": 0},
        {"move": 99},
        {"scores": (1, 1)},
        {"returns": (-1.0, 1.0)},
        {"returns": (0.0, 0.0)},
        {"termination": Termination.RULES},
        {"termination": Termination.HARNESS_FAULT},
    ],
    ids=str,
)
def test_a_tampered_forfeit_diverges(record, changes):
    with pytest.raises(Divergence):
        verify(PAZAAK, ended(record, **changes))


def test_moves_before_the_deal_diverge():
    with pytest.raises(Divergence):
        verify(PAZAAK, tampered(UNSEATED, actions=b"\x00"))


def test_a_forfeit_in_an_honest_match_is_checked_against_its_state():
    moves = unpack_ids(RECORD.actions)[:3]
    steps = list(replay(PAZAAK, RECORD))
    seat = steps[3].seat
    outcome = Outcome(
        tuple(-1.0 if other == seat else 1.0 for other in (0, 1)),
        steps[3].state.scores(), Termination.TIMEOUT, offender=seat, move=3, reason="x",
    )  # fmt: skip
    record = tampered(actions=bytes(moves), outcome=outcome)
    assert verify(PAZAAK, record) == 3
    with pytest.raises(Divergence, match="was to decide"):
        verify(PAZAAK, ended(record, offender=1 - seat))


@pytest.mark.parametrize("blames_who_decides", [True, False])
def test_at_the_first_decision_too_only_the_seat_to_decide_can_forfeit(blames_who_decides):
    first = next(iter(replay(PAZAAK, RECORD))).seat
    offender = first if blames_who_decides else 1 - first
    returns = tuple(-1.0 if seat == offender else 1.0 for seat in (0, 1))
    outcome = Outcome(returns, (0, 0), Termination.CRASH, offender=offender, move=0, reason="x")
    record = tampered(actions=b"", outcome=outcome)
    if blames_who_decides:
        assert verify(PAZAAK, record) == 0
    else:
        with pytest.raises(Divergence, match="was to decide"):
            verify(PAZAAK, record)
