"""Games that expel: who breaks the match is taken out, ranks last, and the others play on."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.core.actions import unpack_ids
from arena.core.errors import HarnessFault
from arena.core.outcome import Fault, Outcome, Termination
from arena.core.record import MatchRecord
from arena.host.bot.inline import play_inline
from arena.match.adjudication import Failure, faults_of
from arena.match.limits import Limits
from arena.match.play import play_match
from arena.match.replay import verify
from arena.match.requests import Seating
from tests.match.table_bots import TABLE, Breaks, Calm, Unready, crash, nonsense, play
from tests.table_game import Table, broken

ILLEGAL, CRASH = Termination.ILLEGAL_ACTION, Termination.CRASH


@pytest.mark.parametrize("seat", [0, 1, 2, 3])
@pytest.mark.parametrize(
    ("how", "cause", "reason", "text"),
    [
        (nonsense, ILLEGAL, "fish is not legal", "fish is not legal"),
        (crash, CRASH, "ValueError", "boom"),
    ],
)
def test_the_others_play_on_and_the_offender_ranks_last(seat, how, cause, reason, text):
    bots = [Calm() for _ in range(4)]
    bots[seat] = Breaks(how)
    record, used = play(*bots)
    ending = record.outcome
    assert (ending.termination, ending.offender) == (Termination.RULES, None)
    assert ending.expelled == (Fault(seat, cause, seat, reason),)
    assert ending.returns[seat] == -1.0
    assert sorted(ending.returns) == pytest.approx([-1, -1 / 3, 1 / 3, 1])
    assert [bot.asked for bot in bots] == [1 if bot is bots[seat] else 2 for bot in bots]
    assert text in used.error
    assert not used.error.startswith("seat")
    assert verify(TABLE, record) == len(unpack_ids(record.actions)) == 6


def test_two_offenders_rank_by_who_offended_first_last():
    record, used = play(Breaks(crash, at=2), Calm(), Breaks(nonsense), Calm())
    ending = record.outcome
    assert [(fault.seat, fault.move) for fault in ending.expelled] == [(2, 2), (0, 3)]
    assert ending.termination is Termination.RULES
    assert ending.returns[2] == -1.0
    assert ending.returns[0] == pytest.approx(-1 / 3)
    assert used.error.startswith("seat 2: fish is not legal\nseat 0: Traceback")
    verify(TABLE, record)


def test_the_fault_that_leaves_one_seat_ends_the_match():
    record, _ = play(Breaks(crash), Calm(), Breaks(nonsense))
    ending = record.outcome
    assert ending.expelled == (Fault(0, CRASH, 0, "ValueError"),)
    assert (ending.termination, ending.offender, ending.move) == (ILLEGAL, 2, 1)
    assert ending.reason == "fish is not legal"
    assert ending.returns == (-1.0, 1.0, 0.0)
    assert verify(TABLE, record) == 1


def test_of_two_seats_the_first_fault_ends_the_match():
    record, _ = play(Calm(), Breaks(crash))
    ending = record.outcome
    assert (ending.termination, ending.offender, ending.expelled) == (CRASH, 1, ())
    assert (ending.returns, ending.move) == ((1.0, -1.0), 1)
    verify(TABLE, record)


def test_a_fault_at_the_last_decision_ends_the_match():
    record, _ = play(Calm(), Calm(), Breaks(crash, at=2))
    ending = record.outcome
    assert (ending.termination, ending.offender, ending.move) == (CRASH, 2, 5)
    assert ending.returns[2] == -1.0
    assert sorted(ending.returns) == [-1.0, 0.0, 1.0]
    verify(TABLE, record)


def test_faults_one_after_the_other_before_any_decision():
    record, _ = play(Breaks(crash), Breaks(crash), Calm(), Calm())
    assert [(fault.seat, fault.move) for fault in record.outcome.expelled] == [(0, 0), (1, 0)]
    assert verify(TABLE, record) == 4


@pytest.mark.parametrize(
    ("limits", "ticks", "cause"),
    [
        (Limits(decision_ns=100), {4: 101}, Termination.TIMEOUT),
        (Limits(match_ns=150), {1: 80, 4: 80}, Termination.TIMEOUT),
        (Limits(requests=2), {}, Termination.TOO_LONG),
    ],
    ids=["decision", "match", "requests"],
)
def test_a_seat_over_its_limits_is_taken_out(limits, ticks, cause):
    elapsed = (ticks.get(number, 0) for number in itertools.count())
    times = itertools.accumulate(itertools.chain.from_iterable((0, each) for each in elapsed))
    record, _ = play(Calm(), Calm(), Calm(), limits=limits, now=lambda: next(times))
    first = faults_of(record.outcome)[0]
    assert first.cause is cause
    assert first.seat == (0 if cause is Termination.TOO_LONG else 1)
    assert record.outcome.returns[first.seat] == -1.0
    verify(TABLE, record)


def test_seats_that_fail_before_the_deal_are_out_at_once():
    bots = Unready(), Calm(), Unready("fish"), Calm()
    record, used = play(*bots)
    ending = record.outcome
    assert ending.expelled == (
        Fault(0, CRASH, 0, "ValueError"),
        Fault(2, ILLEGAL, 0, "nobody may bring fish"),
    )
    assert record.loadouts == (b"", b"hat", b"", b"hat")
    assert [bot.asked for bot in bots] == [0, 2, 0, 2]
    assert used.requests == (1, 3, 1, 3)
    assert ending.returns[0] < ending.returns[2] < min(ending.returns[1], ending.returns[3])
    assert "not today" in used.error
    assert verify(TABLE, record) == 4


def test_a_seat_may_fail_before_the_deal_and_another_at_the_first_decision():
    record, _ = play(Breaks(crash), Calm(), Calm(), Unready())
    assert [fault.seat for fault in record.outcome.expelled] == [3, 0]
    verify(TABLE, record)


def test_when_all_but_one_fail_before_the_deal_the_match_is_over():
    bots = Unready(), Calm(), Unready()
    record, _ = play(*bots)
    ending = record.outcome
    assert ending.expelled == (Fault(0, CRASH, 0, "ValueError"),)
    assert (ending.termination, ending.offender, ending.move) == (CRASH, 2, 0)
    assert ending.returns == (-1.0, 1.0, 0.0)
    assert record.actions == b""
    assert bots[1].asked == 0
    assert verify(TABLE, record) == 0


def test_the_others_keep_their_seats_when_a_bot_cannot_even_be_made():
    bots = Calm(), Breaks(crash)
    makers = [crash, lambda: bots[0], lambda: bots[1]]
    record, _ = play_inline(TABLE, TABLE.ruleset(), 7, 11, makers, "abc", Limits())
    assert [(fault.seat, fault.move) for fault in faults_of(record.outcome)] == [(0, 0), (2, 1)]
    assert [bot.asked for bot in bots] == [1, 1]
    assert [len(bot.heard) for bot in bots] == [1, 1]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_last_seat_is_not_even_made_when_all_others_have_failed(seats):
    bots = [Unready() for _ in range(seats)]
    record, used = play(*bots)
    ending = record.outcome
    assert (ending.offender, len(ending.expelled)) == (seats - 2, seats - 2)
    assert ending.returns[-1] == 1.0
    assert used.requests == (1,) * (seats - 1) + (0,)
    assert [len(bot.heard) for bot in bots] == [1] * (seats - 1) + [0]
    assert verify(TABLE, record) == 0


def test_expelled_bots_receive_the_outcome_like_the_others():
    class Sore(Breaks):
        def finish(self, outcome):
            super().finish(outcome)
            raise ValueError("sore")

    bots = Sore(crash), Calm(), Unready(), Calm()
    record, _ = play(*bots)
    assert [bot.heard for bot in bots] == [[record.outcome]] * 4


def test_the_loop_makes_the_other_offers_after_a_failure():
    loop = play_match(TABLE, TABLE.ruleset(), 7, "abc", Limits())
    next(loop)
    request = loop.send((Failure(CRASH, "ValueError", "trace"), 0))
    assert (type(request), request.seat) == (Seating, 1)
    assert loop.send(("hat", 0)).seat == 2
    assert loop.send((None, 0)).legal_actions


def test_a_game_that_gives_an_expelled_seat_a_decision_is_at_fault():
    class Breaker(Breaks):
        def decide(self, observation):
            return crash()

    deaf = broken(expel=lambda self, seat: None)
    with pytest.raises(HarnessFault, match="seat 1 was asked again after it was taken out"):
        play(Calm(), Breaker(crash), Calm(), game=deaf)


def test_a_game_that_declares_expulsion_but_cannot_expel_is_at_fault():
    def cannot(self, seat):
        raise NotImplementedError("no")

    with pytest.raises(HarnessFault, match="table failed: NotImplementedError: no"):
        play(Breaks(crash), Calm(), Calm(), game=broken(expel=cannot))


class Strict(Table):
    """The same game, but a fault ends it."""

    expels = False


@pytest.mark.parametrize("bots", [(Calm, Breaks, Calm, Breaks), (Calm, Unready, Breaks, Calm)])
def test_without_expulsion_the_first_fault_ends_the_match_at_any_table(bots):
    seats = [bot(crash) if bot is Breaks else bot() for bot in bots]
    record, _ = play(*seats, game=Strict())
    ending = record.outcome
    assert (ending.termination, ending.offender, ending.expelled) == (CRASH, 1, ())
    assert ending.returns == pytest.approx((1 / 3, -1.0, 1 / 3, 1 / 3))
    verify(Strict(), record)


def test_a_record_without_expulsions_has_the_bytes_it_always_had():
    outcome = Outcome((1.0, -1.0), (0, 0))
    record = MatchRecord("g", "r", "1", 7, ("a", "b"), (b"", b""), b"", outcome)
    assert record.to_bytes().endswith(b"\xa5rules\xc0\xc0\xa0")
    assert MatchRecord.from_bytes(record.to_bytes()) == record


FATES = st.one_of(
    st.just("calm"),
    st.just("unready"),
    st.tuples(st.sampled_from([crash, nonsense]), st.integers(1, 2)),
)


@given(st.lists(FATES, min_size=2, max_size=4), st.integers(0, 99))
def test_records_of_faults_at_any_time_verify_and_rank_the_offenders_last(fates, seed):
    bots = [_bot(fate) for fate in fates]
    record, used = play(*bots, seed=seed)
    ending = record.outcome
    out = [fault.seat for fault in faults_of(ending)]
    last_first = [ending.returns[seat] for seat in out]
    stayed = [value for seat, value in enumerate(ending.returns) if seat not in out]
    assert last_first == sorted(last_first)
    assert len(set(last_first)) == len(out)
    assert stayed
    assert not out or last_first[-1] < min(stayed)
    assert sum(ending.returns) == pytest.approx(0)
    assert MatchRecord.from_bytes(record.to_bytes()) == record
    assert verify(TABLE, record) == len(unpack_ids(record.actions))
    assert bool(out) == bool(used.error)
    unbroken = [seat for seat, fate in enumerate(fates) if fate == "calm"]
    assert not set(unbroken) & set(out)


def _bot(fate):
    if fate == "calm":
        return Calm()
    return Unready() if fate == "unready" else Breaks(*fate)
