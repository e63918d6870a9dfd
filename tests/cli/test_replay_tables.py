"""The text of the end of a match at a table of more than two."""

from __future__ import annotations

import pytest
from arena_results.replays.views import Expulsion, Replay, SeatView, ShownOutcome

from arena.core.outcome import Termination, utilities
from arena.service.match.replay_text import name_seats, outcome_lines, seat_labels

NAMES = ("ann", "bob", "cid", "dot")


def lines_of(places: tuple[int, ...], **changes: object) -> list[str]:
    """The lines of an ending with these places."""
    values = {
        "returns": utilities(places),
        "scores": tuple(100 * (5 - place) for place in places),
        "termination": Termination.RULES,
        "offender": None,
        "move": None,
        "reason": None,
        "error": None,
    }
    return outcome_lines(
        Replay(
            view="all",
            game="table",
            ruleset="plain",
            engine="1",
            seed=None,
            seats=tuple(SeatView(seat, NAMES[seat], None) for seat in range(len(places))),
            moments=(),
            ending=ShownOutcome(**(values | changes)),
        ),
        NAMES[: len(places)],
    )


def test_the_finishing_order_stands_under_the_winner():
    assert lines_of((3, 1, 4, 2)) == [
        "The end: won by bob (seat 1), 200 : 400 : 100 : 300; cause: rules",
        "  1. bob (seat 1): 400",
        "  2. dot (seat 3): 300",
        "  3. ann (seat 0): 200",
        "  4. cid (seat 2): 100",
    ]


def test_level_seats_share_a_place_and_the_first_place_the_win():
    assert lines_of((1, 3, 1)) == [
        "The end: won by ann (seat 0) and cid (seat 2), 400 : 200 : 400; cause: rules",
        "  1. ann (seat 0): 400",
        "  1. cid (seat 2): 400",
        "  3. bob (seat 1): 200",
    ]
    assert lines_of((1, 1, 1))[0].startswith("The end: drawn, ")


OUT = (
    Expulsion(2, Termination.ILLEGAL_ACTION, 17, "7 is not one of: pass, draw"),
    Expulsion(0, Termination.CRASH, 21, "ValueError"),
)


def test_an_expelled_seat_is_shown_with_move_cause_and_reason():
    lines = lines_of(
        (3, 1, 4, 2), expelled=OUT, error="seat 2: 7 is not ...\nseat 0: Traceback\x1b"
    )
    assert lines[5:] == [
        "  seat 2 (cid) was taken out at move 17: illegal action",
        "  reason: 7 is not one of: pass, draw",
        "  seat 0 (ann) was taken out at move 21: crash",
        "  reason: ValueError",
        "  their error output:",
        "    seat 2: 7 is not ...\n    seat 0: Traceback\\x1b",
    ]


def test_hidden_texts_are_replaced_by_the_view_that_shows_them():
    hidden = Expulsion(2, Termination.ILLEGAL_ACTION, 17, None)
    assert lines_of((3, 1, 4, 2), expelled=(hidden,))[5:] == [
        "  seat 2 (cid) was taken out at move 17: illegal action",
        "  (what it did may show its hidden cards; see it with --view all)",
    ]


@pytest.mark.parametrize("error", [None, "7 is not one of: pass, draw"])
def test_an_offenders_text_is_not_shown_twice(error):
    lines = lines_of((3, 1, 4, 2), expelled=OUT[:1], error=error)
    assert lines[-1] == "  reason: 7 is not one of: pass, draw"


def test_the_last_offender_of_a_table_ended_it_but_need_not_be_last():
    lines = lines_of(
        (3, 1, 2),
        expelled=OUT[1:],
        offender=2,
        move=30,
        reason="over its time",
        termination=Termination.TIMEOUT,
    )
    assert lines[0].endswith("; cause: timeout")
    assert lines[4:] == [
        "  seat 0 (ann) was taken out at move 21: crash",
        "  reason: ValueError",
        "  ended by cid (seat 2) at move 30",
        "  reason: over its time",
    ]


def test_names_stand_for_seats_and_columns_stay_below_each_other():
    labels = seat_labels(["ann", "equity-bettor(match=false)", "ann"])
    assert labels == ["ann (seat 0)", "equity-bettor(mat...", "ann (seat 2)"]
    text = "  - seat 1: draws 3\n  > seat 0  chips 9\n    seat 1  chips 8\n  you, seat 9"
    assert name_seats(text, labels).splitlines() == [
        "  - equity-bettor(mat...: draws 3",
        "  > ann (seat 0)          chips 9",
        "    equity-bettor(mat...  chips 8",
        "  you, seat 9",
    ]
