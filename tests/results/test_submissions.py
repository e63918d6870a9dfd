"""Submitted bots in the store: exactly once, found by version, switched; and the new columns."""

from __future__ import annotations

import msgspec
import pytest
from arena_results.boards.board_rows import Earlier
from arena_results.boards.leaderboard import Asked, boards, leaderboard, with_history
from arena_results.bots.submissions import (
    CheckSummary,
    GameReport,
    NewSubmission,
    SubmissionStatus,
    add,
    archive,
    find,
    next_number,
    set_status,
    submissions,
    twin,
)
from arena_results.schema.rows import EntryRow
from arena_results.store.queries import matches
from arena_results.store.store import Store

from arena.core.errors import BadInput, UnknownName
from arena.core.record import Measurement
from arena.core.tournaments.format import Participant

REPORT = {"dice": GameReport("standard", {"random": CheckSummary(20, 12.5, True, "confined")})}


def version(number: str = "1.0", content: str = "a" * 12, name: str = "ann") -> NewSubmission:
    return NewSubmission(
        name=name,
        version=number,
        content=content,
        author="Ann",
        licence="MIT",
        games=("dice", "cards"),
        language="python",
        target="ann:Ann",
        requires=("numpy>=2",),
        deterministic=True,
        report=REPORT,
    )


def test_a_submission_is_read_as_it_was_stored(database):
    stored = add(database, version(), b"PK\0\xff")
    assert find(database, "ann", "1.0") == stored
    assert (stored.id, stored.status) == (1, SubmissionStatus.ENABLED)
    assert stored.spelling == "ann@1.0"
    assert archive(database, stored.id) == b"PK\0\xff"
    fields = {name: getattr(stored, name) for name in NewSubmission.__struct_fields__}
    assert NewSubmission(**fields) == version()


def test_a_program_is_read_with_its_command(database):
    new = msgspec.structs.replace(version(), target="", command=("node", "bot.js"), language="node")
    stored = add(database, new, b"")
    assert (stored.command, stored.target) == (("node", "bot.js"), "")


def test_submitting_the_same_bot_again_changes_nothing(database):
    first = add(database, version(), b"1")
    set_status(database, "ann", "", SubmissionStatus.DISABLED)
    again = add(database, version(), b"2")
    assert again == msgspec.structs.replace(first, status=SubmissionStatus.DISABLED)
    assert archive(database, first.id) == b"1"
    assert len(submissions(database)) == 1


def test_the_same_version_with_other_content_is_refused(database):
    add(database, version(), b"1")
    for attempt in (
        lambda: add(database, version(content="b" * 12), b"2"),
        lambda: twin(database, "ann", "1.0", "b" * 12),
    ):
        with pytest.raises(BadInput, match=r"ann@1\.0 is in the registry with other content"):
            attempt()
    assert [each.content for each in submissions(database)] == ["a" * 12]


def test_without_a_version_an_equal_submission_is_found_by_content(database):
    add(database, version("1", "a" * 12), b"")
    add(database, version("2", "b" * 12), b"")
    assert twin(database, "ann", "", "a" * 12).version == "1"
    assert twin(database, "ann", "", "c" * 12) is None
    assert twin(database, "ann", "3", "a" * 12) is None
    assert twin(database, "bob", "1", "c" * 12) is None
    assert next_number(database, "ann") == "3"
    assert next_number(database, "bob") == "1"


def test_the_latest_enabled_version_is_found_by_order_of_submission(database):
    for number in ("2.0", "1.0", "3.0"):
        add(database, version(number, number * 4), b"")
    assert find(database, "ann").version == "3.0"
    (changed,) = set_status(database, "ann", "3.0", SubmissionStatus.DISABLED)
    assert changed.status is SubmissionStatus.DISABLED
    assert find(database, "ann").version == "1.0"
    assert find(database, "ann", disabled_too=True).version == "3.0"
    assert set_status(database, "ann", "3.0", SubmissionStatus.DISABLED) == ()


def test_a_disabled_bot_is_refused_with_how_to_enable_it(database):
    add(database, version("1.0"), b"")
    add(database, version("2.0", "b" * 12), b"")
    assert len(set_status(database, "ann", "", SubmissionStatus.DISABLED)) == 2
    for number, spelling in (("", "ann"), ("1.0", "ann@1.0")):
        with pytest.raises(BadInput) as refused:
            find(database, "ann", number)
        enable = f"arena bots enable {spelling}{database.option}"
        assert str(refused.value) == f"bot {spelling} is disabled; to enable it: {enable}"


def test_unknown_names_and_versions_name_the_choices(database):
    add(database, version(), b"")
    with pytest.raises(UnknownName, match="unknown submitted bot 'bob'; choices: ann"):
        find(database, "bob")
    with pytest.raises(UnknownName, match=r"unknown version '9' of bot ann; choices: 1\.0"):
        set_status(database, "ann", "9", SubmissionStatus.DISABLED)


def test_cpu_time_is_kept_beside_a_match(database, run, new, played):
    measured = Measurement((1, 2), (3, 4), "confined", "", (5, 6))
    sent = [
        msgspec.structs.replace(played((1, 1, 1), (0, 1), 1), measurement=measured),
        played((1, 2, 1), (2, 3), 1),
    ]
    run(new(), sent)
    assert [each for _, each in matches(database, 1)] == sent


@pytest.fixture
def career(database, new, played):
    """Stores a day of ann against bob, each in the version that is given."""
    import trio

    from arena.core.tournaments.format import Pairing, Round

    def day(ann: str, bob: str = "1.0", *, name: str = "ann") -> None:
        field = [Participant(name, ann, ann * 4), Participant("bob", bob, bob * 4)]
        match = played((1, 1, 1), (0, 1), 1)
        record = msgspec.structs.replace(match.record, seats=tuple(each.key for each in field))

        async def store() -> None:
            writer = Store(database)
            cup = await writer.create_tournament(new(), [EntryRow(each) for each in field])
            await writer.save_round(cup, Round(1, (Pairing((0, 1)),)))
            await writer.sink(cup).write([msgspec.structs.replace(match, record=record)])

        trio.run(store)

    return day


def shown(database, **options):
    (board,) = with_history(database, boards(database, Asked()), **options)
    return [
        (row.rank, row.participant.name, row.participant.version, row.history) for row in board.rows
    ]


def test_the_leaderboard_shows_each_name_once_with_its_history(database, career):
    for number in ("1.0", "1.1", "1.2"):
        career(number)
    won = [row for row in leaderboard(database) if row.won]
    ratings = {row.participant.version: row.rating for row in won}
    contents = {row.participant.version: row.participant.content for row in won}
    history = tuple(
        Earlier(each, ratings[each], contents[each], games=1) for each in ("1.1", "1.0")
    )
    assert shown(database) == [(1, "ann", "1.2", history), (2, "bob", "1.0", ())]
    every = shown(database, every_version=True)
    assert [(rank, number) for rank, _, number, _ in every] == [
        (1, "1.0"), (2, "1.1"), (3, "1.2"), (4, "1.0")
    ]  # fmt: skip
    assert [len(history) for *_, history in every] == [0, 1, 2, 0]


def test_versions_go_by_submission_before_they_go_by_first_match(database, career):
    add(database, version("1.0", "1.0" * 4), b"")
    add(database, version("2.0", "2.0" * 4), b"")
    career("2.0")
    career("1.0")
    assert shown(database)[0][1:3] == ("ann", "2.0")
    assert [each.version for each in shown(database)[0][3]] == ["1.0"]


def test_names_with_other_parameters_are_other_names(database, career):
    career("1.0", name="ann(at=3)")
    career("1.1", name="ann(at=4)")
    assert sorted(name for _, name, *_ in shown(database)) == ["ann(at=3)", "ann(at=4)", "bob"]
