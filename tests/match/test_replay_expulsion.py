"""Replays of matches with expelled seats, and records with wrong expulsions."""

from __future__ import annotations

import msgspec
import pytest

from arena.core.errors import Divergence
from arena.core.outcome import Fault, Termination
from arena.match.adjudication import faults_of
from arena.match.replay import replay, state_before, verify
from tests.match.table_bots import TABLE, Breaks, Calm, Unready, crash, nonsense, play
from tests.table_game import Table

CRASH = Termination.CRASH
# Seat 3 fails before the deal, seat 1 at its first decision, seat 0 at its second.
FAULTY = play(Breaks(crash, at=2), Breaks(nonsense), Calm(), Unready())[0]
ONE_OUT = play(Calm(), Breaks(crash, at=2), Calm(), Calm())[0]
EARLY = play(Unready(), Calm(), Unready("fish"))[0]


def ended(record, **changes: object):
    return msgspec.structs.replace(
        record, outcome=msgspec.structs.replace(record.outcome, **changes)
    )


def expelled(record, *faults: Fault):
    return ended(record, expelled=faults)


def test_a_replay_lists_the_seats_expelled_before_each_decision():
    steps = list(replay(TABLE, FAULTY))
    assert [(step.move, step.seat, step.expelled) for step in steps] == [
        (0, 0, (3,)),
        (1, 2, (1,)),
        (2, None, (0,)),
    ]
    assert [step.state.out for step in steps] == [[3], [3, 1], [3, 1, 0]]


def test_a_match_that_was_over_before_any_decision_has_its_end_alone():
    (end,) = replay(TABLE, EARLY)
    assert (end.move, end.seat, end.expelled) == (0, None, (0, 2))


def test_the_state_in_which_a_seat_failed_can_be_seen():
    early, *late = faults_of(FAULTY.outcome)
    assert state_before(TABLE, FAULTY, early).out == []
    for fault in late:
        state = state_before(TABLE, FAULTY, fault)
        assert state.observation(fault.seat).legal_actions
        assert fault.seat not in state.out


def test_a_fault_of_another_match_was_in_no_state():
    assert state_before(TABLE, FAULTY, Fault(2, CRASH, 1)) is None


F0, F1, F3 = (next(f for f in faults_of(FAULTY.outcome) if f.seat == seat) for seat in (0, 1, 3))
LATE = ONE_OUT.outcome.expelled[0]


def moved(fault, **changes: object):
    return msgspec.structs.replace(fault, **changes)


@pytest.mark.parametrize("record", [FAULTY, ONE_OUT, EARLY])
def test_honest_records_verify(record):
    verify(TABLE, record)


@pytest.mark.parametrize(
    ("record", "why"),
    [
        (expelled(ONE_OUT), "after move 7 the match goes on, but the record ends"),
        (expelled(ONE_OUT, moved(LATE, move=4)), "seat 0 was to decide, but the record blames"),
        (expelled(ONE_OUT, moved(LATE, seat=2)), "seat 1 was to decide, but the record blames"),
        (expelled(ONE_OUT, moved(LATE, seat=4)), "there is no such seat"),
        (expelled(ONE_OUT, moved(LATE, seat=-1)), "there is no such seat"),
        (expelled(ONE_OUT, moved(LATE, move=99)), "is out of order: it must lie at 0 to 7"),
        (expelled(ONE_OUT, moved(LATE, move=-1)), "is out of order: it must lie at 0 to 7"),
        (expelled(ONE_OUT, LATE, LATE), "is its second"),
        (expelled(ONE_OUT, moved(LATE, cause=Termination.RULES)), "which is not a seat's fault"),
        (expelled(ONE_OUT, moved(LATE, cause=Termination.HARNESS_FAULT)), "not a seat's fault"),
        (
            expelled(ONE_OUT, moved(LATE, seat=0, move=0)),
            "move 6: the match is over, but the record goes",
        ),
        (expelled(ONE_OUT, LATE, moved(LATE, seat=2, move=5)), "move 6: the match is over"),
        (expelled(FAULTY, F1, F3), "is out of order"),
        (expelled(FAULTY, moved(F3, move=1), F1), "was to decide, but the record blames seat 3"),
        (expelled(FAULTY, F1), "seat 3 was to decide, but the record blames seat 0"),
        (ended(FAULTY, offender=2), "seat 0 was to decide, but the record blames seat 2"),
        (ended(FAULTY, termination=Termination.RULES), "after move 2 the match goes on"),
        (ended(FAULTY, move=1), "seat 2 was to decide, but the record blames seat 0"),
        (expelled(EARLY), "after move 0 the match goes on, but the record ends"),
        (expelled(EARLY, moved(EARLY.outcome.expelled[0], seat=1)), "has its own loadout"),
        (msgspec.structs.replace(EARLY, loadouts=(b"hat", b"hat", b"")), "seat 0 failed at its"),
        (msgspec.structs.replace(EARLY, loadouts=EARLY.loadouts[:2]), "2 loadouts for 3 seats"),
        (
            msgspec.structs.replace(ONE_OUT, seats=("a",) * 5, loadouts=(b"",) * 5),
            "cannot be set up: table takes 2 to 4 seats, not 5",
        ),
        (ended(ONE_OUT, returns=ONE_OUT.outcome.returns[::-1]), "but the record says"),
        (ended(ONE_OUT, scores=(9, 9, 9, 9)), "but the record says"),
    ],
)
def test_a_record_whose_faults_do_not_fit_diverges(record, why):
    with pytest.raises(Divergence, match=why):
        verify(TABLE, record)


def test_seats_that_failed_before_the_deal_are_in_order():
    record = play(Calm(), Unready(), Unready(), Calm())[0]
    first, second = faults_of(record.outcome)
    verify(TABLE, record)
    with pytest.raises(Divergence, match="seat 0 was to decide, but the record blames seat 1"):
        verify(TABLE, expelled(record, second, first))


def test_a_record_with_an_expulsion_diverges_in_a_game_without_any():
    class Strict(Table):
        expels = False

    with pytest.raises(Divergence, match="table expels nobody, but the record does"):
        verify(Strict(), ONE_OUT)
