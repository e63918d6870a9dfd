from __future__ import annotations

import msgspec
import pytest
import trio
from arena_results.boards.leaderboard import leaderboard, table_note
from arena_results.file.database import open_database
from arena_results.ratings.systems.systems import Elo
from arena_results.schema.rows import EntryRow
from arena_results.store.store import Store

from arena.core.chance.seeding import SeedOrigin, SeedSource
from arena.core.tournaments.format import Pairing, Round
from arena.core.tournaments.rating import Duels
from tests.results.ratings.live_elo import elo

ELO = Elo()


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
    rows = leaderboard(database, system=ELO)
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
    draws = [played((1, 1, 1), (3, 1)), played((1, 2, 1), (2, 0)), played((2, 1, 1), (3, 0))]
    run(new(), draws, entries=(3, 1, 2, 0))
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
    assert [row.rating for row in leaderboard(database, "dice", "wild", ELO)] == [1515.63, 1484.37]


def test_every_tournament_counts_oldest_first(database, run, new, played):
    run(new(), [played((1, 1, leg), (0, 1), 1) for leg in (1, 2)])
    run(new(), [played((1, 1, leg), (1, 0), 1) for leg in (1, 2)], entries=(1, 0))
    ann, bob = elo([Duels(pair, (1.0,)) for pair in ((0, 1), (0, 1), (1, 0), (1, 0))], 2)
    assert bob > ann
    rows = leaderboard(database, system=ELO)
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


def test_the_interval_replays_mirrored_pairs_without_seed_or_key(tmp_path, run, new, played):
    pairs = [played((1, 1, leg), (0, 1), 1 if leg % 3 else -1) for leg in range(1, 61)]
    files = iter(range(9))

    def ends(**changes: object) -> list[tuple[float, float]]:
        with open_database(f"sqlite:///{tmp_path}/{next(files)}.db") as database:
            run(new(**changes), pairs, into=database)
            rows = leaderboard(database, system=ELO)
            assert rows == leaderboard(database, system=ELO)
            return [(row.low, row.high) for row in rows]

    once = ends(seed=7)
    assert once == ends(seed=8)
    # It is shown while the tournament is running: nothing in it may follow from the key.
    drawn = SeedSource(SeedOrigin.DRAWN_KEY, key="0" * 32, nonce="1" * 32)
    values = {"seed_origin": drawn.origin, "key": drawn.key, "nonce": drawn.nonce}
    assert once == ends(seed=None, commitment=drawn.commitment, **values)
    assert once != ends(seed=7, ruleset="wild")
    assert once != ends(seed=7, mirrored=False)


def test_the_note_names_the_interval():
    assert "\n" not in ELO.note
    assert "2.5-97.5 % range of 500 bootstrap replays" in ELO.note
    assert "mirrored pair" in ELO.note


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


def test_a_table_counts_as_one_match_and_a_duel_with_each_opponent(database, run, new, played):
    run(new(), [played((1, 1, 1), (2, 0, 1), places=(3, 1, 2))])
    rows = leaderboard(database, system=ELO)
    # By hand: the first of three equals wins two duels at K/2 = 8, each worth half of it.
    assert [(row.rank, row.participant.name, row.rating) for row in rows] == [
        (1, "ann", 1508.0),
        (2, "bob", 1500.0),
        (3, "cid", 1492.0),
    ]
    assert [
        (row.games, row.seats, row.score, row.firsts, row.won, row.drawn, row.lost) for row in rows
    ] == [(1, (3,), 1.0, 1, 2, 0, 0), (1, (3,), 0.5, 0, 1, 0, 1), (1, (3,), 0.0, 0, 0, 0, 2)]


def test_seats_level_on_top_are_not_first_and_share_the_duel(database, run, new, played):
    run(new(), [played((1, 1, 1), (0, 1, 2, 3), places=(1, 1, 3, 4))])
    rows = {row.participant.name: row for row in leaderboard(database)}
    assert (rows["ann"].score, rows["ann"].firsts) == (0.83, 0)
    assert (rows["ann"].won, rows["ann"].drawn, rows["ann"].lost) == (2, 1, 0)
    assert rows["ann"].rating == rows["bob"].rating
    assert (rows["cid"].score, rows["dot"].score) == (0.33, 0.0)


def test_tables_of_all_sizes_of_a_ruleset_share_its_board(database, run, new, played):
    run(
        new(),
        [
            played((1, 1, 1), (0, 1, 2), places=(1, 2, 3)),
            played((1, 2, 1), (3, 0), -1),
            played((2, 1, 1), (2, 3, 0, 1), places=(1, 4, 2, 3)),
        ],
    )
    rows = {row.participant.name: row for row in leaderboard(database, system=ELO)}
    assert [rows[name].seats for name in ("ann", "bob", "cid", "dot")] == [
        (2, 3, 4),
        (3, 4),
        (3, 4),
        (2, 4),
    ]
    assert (rows["ann"].games, rows["ann"].score, rows["ann"].firsts) == (3, 2.67, 2)
    expected = elo(
        [
            Duels((0, 1, 2), (1.0, 1.0, 1.0)),
            Duels((3, 0), (0.0,)),
            Duels((2, 3, 0, 1), (1.0, 1.0, 0.0, 1.0, 0.0, 1.0)),
        ],
        4,
    )
    assert [rows[name].rating for name in ("ann", "bob", "cid", "dot")] == [
        round(rating, 2) for rating in expected
    ]


def test_a_deal_played_around_a_table_is_one_draw_of_the_interval(database, run, new, played):
    """The seat alone decides, so that a whole group is luck and shows no difference."""
    legs = [
        played((number, 1, leg), (0, 1, 2), places=((1, 2, 3) * 2)[3 - leg % 3 : 6 - leg % 3])
        for number in range(1, 21)
        for leg in (1, 2, 3)
    ]
    run(new(), legs)
    run(new(ruleset="wild", mirrored=False), legs)
    whole, alone = leaderboard(database, system=ELO)[:3], leaderboard(database, system=ELO)[3:]
    assert {(row.games, row.deals) for row in whole} == {(60, 20)}
    assert {(row.games, row.deals) for row in alone} == {(60, 60)}
    width = {True: 0.0, False: 0.0}
    for rows, mirrored in ((whole, True), (alone, False)):
        width[mirrored] = sum(row.high - row.low for row in rows)
    assert width[True] * 5 < width[False]


def test_an_option_makes_a_ruleset_of_its_own(database, run, new, played):
    table = [played((1, 1, 1), (0, 1, 2), places=(1, 2, 3))]
    run(new(game="sabacc", ruleset="old_republic"), table)
    run(new(game="sabacc", ruleset="old_republic(mode=chips)"), table)
    boards = [(row.ruleset, row.rank, row.games) for row in leaderboard(database, "sabacc")]
    assert boards == [
        (ruleset, rank, 1)
        for ruleset in ("old_republic", "old_republic(mode=chips)")
        for rank in (1, 2, 3)
    ]


def test_the_note_on_tables_names_their_rating_and_count():
    assert "\n" not in table_note(ELO)
    for word in ("K/(n-1)", "finishing order", "W-D-L", "points", "1st", "all sizes"):
        assert word in table_note(ELO)
