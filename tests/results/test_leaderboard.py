from __future__ import annotations

import msgspec
import pytest
import trio

from arena.core.errors import BadInput
from arena.core.tournament import Pairing, Round
from results.database import open_database
from results.leaderboard import INTERVAL_NOTE, leaderboard
from results.ratings.duels import Duel
from results.ratings.elo import elo
from results.rows import EntryRow
from results.store import Store


@pytest.fixture
def day(played):
    """Ann beats Bob twice, Cid and Dot draw; then Bob beats Cid and they draw."""
    return [
        played((1, 1, 1), (0, 1), 1),
        played((1, 1, 2), (1, 0), -1),
        played((1, 2, 1), (2, 3), 0),
        played((1, 2, 2), (3, 2), 0),
        played((2, 1, 1), (1, 2), 1),
        played((2, 1, 2), (2, 1), 0),
    ]


def test_rows_are_sorted_by_elo_with_games_and_score(database, run, new, day):
    run(new(), day)
    rows = leaderboard(database)
    # By hand: Ann gains 8 and 16 (1 - 1/(1 + 10^-.04)) = 7.63; Bob, at 1484.37, gains 8.36
    # against Cid's 1500, and loses 0.03 in their draw.
    assert [(row.rank, row.participant.name, row.rating) for row in rows] == [
        (1, "ann", 1515.63),
        (2, "dot", 1500.0),
        (3, "bob", 1492.7),
        (4, "cid", 1491.67),
    ]
    assert [(row.games, row.score, row.won, row.drawn, row.lost) for row in rows] == [
        (2, 2.0, 2, 0, 0),
        (2, 1.0, 0, 2, 0),
        (4, 1.5, 1, 1, 2),
        (4, 1.5, 0, 3, 1),
    ]
    assert {row.credits for row in rows} == {None}
    assert all(row.low < row.rating < row.high for row in rows if row.participant.name == "bob")


def test_equal_ratings_are_ordered_by_key(database, run, new, played):
    run(new(), [played((1, 1, 1), (3, 1), 0), played((1, 2, 1), (2, 0), 0)], entries=(3, 1, 2, 0))
    assert [row.participant.name for row in leaderboard(database)] == ["ann", "bob", "cid", "dot"]


def test_an_empty_database_has_an_empty_leaderboard(database, run, new):
    assert leaderboard(database) == ()
    run(new(), [])
    assert leaderboard(database) == ()


def test_games_and_rulesets_are_never_mixed(database, run, new, day):
    run(new(), day)
    run(new(ruleset="wild"), day[:2])
    run(new(game="coins"), day[4:])
    alone = leaderboard(database, "dice", "standard")
    assert leaderboard(database) == (
        *leaderboard(database, "coins"),
        *alone,
        *leaderboard(database, "dice", "wild"),
    )
    assert len(alone) == 4
    assert len(leaderboard(database, "dice")) == 6
    assert leaderboard(database, "chess") == ()
    assert [row.rating for row in leaderboard(database, "dice", "wild")] == [1515.63, 1484.37]


def test_every_tournament_counts_oldest_first(database, run, new, played):
    run(new(), [played((1, 1, leg), (0, 1), 1) for leg in (1, 2)])
    run(new(), [played((1, 1, leg), (1, 0), 1) for leg in (1, 2)], entries=(1, 0))
    ann, bob = elo([Duel(0, 1, 1), Duel(0, 1, 1), Duel(1, 0, 1), Duel(1, 0, 1)], 2)
    assert bob > ann
    rows = leaderboard(database)
    assert [(row.participant.name, row.games) for row in rows] == [("bob", 4), ("ann", 4)]
    assert [row.rating for row in rows] == [round(bob, 2), round(ann, 2)]


def test_versions_of_a_bot_are_rated_apart(database, run, new, played, field):
    newer = msgspec.structs.replace(field[0], version="1.1")
    match = played((1, 1, 1), (0, 1), 1)
    record = msgspec.structs.replace(match.record, seats=(newer.key, field[1].key))

    async def play_newer() -> None:
        store = Store(database)
        number = await store.create_tournament(new(), [EntryRow(newer), EntryRow(field[1])])
        await store.save_round(number, Round(1, (Pairing((0, 1)),)))
        await store.sink(number).write([msgspec.structs.replace(match, record=record)])

    run(new(), [match])
    trio.run(play_newer)
    rows = leaderboard(database)
    assert {(row.participant.key, row.games) for row in rows} == {
        ("ann@1.0+000000000000", 1),
        ("ann@1.1+000000000000", 1),
        ("bob@1.0+000000000001", 2),
    }


@pytest.mark.parametrize("order", [[5, 4, 3, 2, 1, 0], [3, 0, 5, 1, 4, 2]])
def test_the_order_of_writing_changes_nothing(database, tmp_path, run, new, day, order):
    run(new(), day)
    with open_database(f"sqlite:///{tmp_path}/other.db") as other:
        run(new(ruleset="wild"), day[:2], entries=(1, 0), into=other)
        run(new(), [day[position] for position in order], into=other)
        assert leaderboard(other, "dice", "standard") == leaderboard(database)


def test_the_interval_replays_mirrored_pairs_seeded_from_the_tournaments(
    database, run, new, played
):
    pairs = [played((1, 1, leg), (0, 1), 1 if leg % 3 else -1) for leg in range(1, 61)]

    def ends(*seeds: int, mirrored: bool = True) -> list[tuple[float, float]]:
        ruleset = f"{seeds}{mirrored}"
        for seed in seeds:
            run(new(seed=seed, ruleset=ruleset, mirrored=mirrored), pairs)
        rows = leaderboard(database, "dice", ruleset)
        assert rows == leaderboard(database, "dice", ruleset)
        return [(row.low, row.high) for row in rows]

    once = ends(7)
    assert once != ends(8)
    assert once != ends(7, mirrored=False)
    assert ends(7, 8) != ends(7, 9)


def test_the_note_says_what_the_interval_is():
    assert "\n" not in INTERVAL_NOTE
    assert "2.5-97.5 % range of 500 bootstrap replays" in INTERVAL_NOTE
    assert "mirrored pair" in INTERVAL_NOTE


def test_credits_are_what_stakes_won_and_lost(database, run, new, day):
    run(new(), day)
    run(new(stake=30, purse=50), day[:2])
    run(new(stake=10, purse=50), day[4:], entries=(0, 1, 2))
    assert {row.participant.name: row.credits for row in leaderboard(database)} == {
        "ann": 50,
        "bob": -40,
        "cid": -10,
        "dot": 0,
    }


def test_a_table_of_three_is_refused_and_not_rated_wrongly(database, run, new, played):
    run(new(), [played((1, 1, 1), (0, 1, 2), 1)])
    with pytest.raises(BadInput, match="ratings are for two seats"):
        leaderboard(database)
