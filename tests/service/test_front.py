"""The first page's content: the closest of the newest matches, champions, changes of ratings."""

from __future__ import annotations

import pytest
from arena_results.boards.board_history import Played
from arena_results.boards.leaderboard import Asked
from arena_results.schema.rows import Status
from arena_results.store.queries import tournaments

import arena
from arena.core.table import Change, Column
from arena.plugins.registry import Registry
from arena.service.boards.kept import Boards
from arena.service.boards.leaders import leaders_table, since_last
from arena.service.match.listing import Wanted, find_matches
from arena.service.public import front
from arena.service.public.documents import public_report
from arena.service.storage.databases import open_database
from tests.cli.stored_cups import store

STANDARD = Asked(game="pazaak", ruleset="standard")


@pytest.fixture(scope="module")
def events(tmp_path_factory):
    """Two finished tournaments, and one that was stopped."""
    file = tmp_path_factory.mktemp("front") / "front.db"
    bots = ["stand(at=15)", "stand(at=18)", "random"]
    with arena.open_database(file) as db:
        db.run(bots, format="round-robin", games=30, seed=1, name="spring")
        db.run([*bots, "stand(at=17)"], format="round-robin", games=20, seed=2, name="summer")
    store(f"sqlite:///{file}", "table", legs=4, finished=False)
    with open_database(f"sqlite:///{file}") as database:
        yield database


def test_the_featured_match_is_the_closest_of_the_newest_finished_ones(events):
    found = front.featured(events)
    ended = []
    for number in (2, 1):
        _, rows = find_matches(events, Wanted(tournament=number, closest=1))
        ended += [*rows]

    def margin(row):
        return abs(row["score0"] - row["score1"]) / (row["score0"] + row["score1"])

    best = min(ended, key=lambda row: (margin(row), -row["decisions"]))
    assert found.match == best["match"]
    assert (found.event, found.round) == (
        {1: "spring", 2: "summer"}[best["tournament"]],
        best["round"],
    )
    assert found.why == "The closest of the last 200 matches"  # 210 are finished
    score = f"{best['score0']} : {best['score1']}"
    assert score not in found.why  # who looks will see


def test_without_a_finished_tournament_nothing_is_featured(tmp_path):
    url = f"sqlite:///{tmp_path}/open.db"
    store(url, finished=False)
    with open_database(url) as database:
        assert front.featured(database) is None
        assert front.newest(tournaments(database)) == []


def test_champions_are_first_in_the_standings_of_the_newest_tournaments(events):
    newest = front.newest(tournaments(events))
    assert [each.id for each in newest] == [2, 1]
    assert all(each.status is Status.FINISHED for each in newest)
    for about in newest:
        found = front.champion(Registry(), events, about)
        table = public_report(Registry(), events, about.id).table
        assert found.names == tuple(line.name for line in table if line.rank == 1)
        assert found.finished == about.finished_at


def test_changes_are_those_of_the_ratings_since_the_last_event(events):
    boards = Boards(Registry(), events)
    (board,) = boards.now(STANDARD)
    rows = {row["name"]: row for row in leaders_table(boards, board, STANDARD).rows}
    (before,) = boards.at(STANDARD, [since_last(boards.played(STANDARD)).event])
    old = {row.participant.name: row for row in before.rows}
    assert old.keys() == {"stand(at=15)", "stand(at=18)", "random"}
    for row in board.rows[:5]:
        name = row.participant.name
        known = name in old and not old[name].few and not row.few
        change = round(row.rating) - round(old[name].rating) if known else None
        assert rows[name]["change"] == change
    assert any(row["change"] for row in rows.values())


def test_changes_of_a_single_tournament_are_those_of_its_last_rounds():
    season = Played(3, frozenset({"a"}), (1, 2, 3, 4, 5, 6, 7, 8), 0)
    found = since_last([season])
    assert (found.event.tournaments, found.event.rounds, found.hint) == (
        (3,),
        6,
        "change by the last 2 rounds",
    )
    assert since_last([Played(3, frozenset({"a"}), (1,), 0)]) is None
    assert since_last([]) is None


@pytest.mark.parametrize(
    ("value", "text"), [(12, "+12"), (-8, "-8"), (0, "0"), (0.3, "0"), (-0.3, "0"), (None, "-")]
)
def test_a_change_has_its_sign(value, text):
    column = Column("change", "change", cell=lambda row: value if value is None else Change(value))
    assert column.text(column.of({})) == text
