"""Tests of the format: teams as people write them, rounds, standings, and a whole tournament."""

from itertools import combinations
from pathlib import Path

import pytest
from arena_format_teams.lineups import read_teams, rounds_per_cycle, team_round
from arena_format_teams.teams import Teams, by_majority

from arena import open_database, verify_tournament
from arena.core.errors import BadInput, BadKey
from arena.core.tournaments.format import Entrant, Pairing, PairingResult, RoundResult

THREE = ("Red: a | b", "Blue: c | d", "Green: e | f")
FIELD = [Entrant(name) for name in "abcdef"]
NAMES = [each.name for each in FIELD]


def play(form: Teams, results: dict[str, tuple[float, float]]) -> list[RoundResult]:
    """Plays all rounds; a board is written ``"ac"``, first seat first, and drawn if not given."""
    played: list[RoundResult] = []
    rounds = form.rounds(len(FIELD), None)
    while (made := form.next_round(FIELD, played, rounds)) is not None:
        found = []
        for pairing in made.pairings:
            board = "".join(NAMES[seat] for seat in pairing.seats)
            found.append(PairingResult(pairing, results.get(board, (1.0, 1.0))))
        played.append(RoundResult(made, tuple(found)))
    return played


@pytest.mark.parametrize("teams", range(2, 13))
@pytest.mark.parametrize("cycles", range(1, 4))
def test_all_teams_meet_once_a_cycle_and_never_two_at_once(teams: int, cycles: int) -> None:
    """Each cycle has all pairs of teams; the second one exchanges home and away."""
    length = rounds_per_cycle(teams)
    rounds = [team_round(teams, number) for number in range(cycles * length)]
    for made in rounds:
        seated = [team for pair in made for team in pair]
        assert len(seated) == len(set(seated)) == teams - teams % 2
    for cycle in range(cycles):
        met = [pair for made in rounds[cycle * length : (cycle + 1) * length] for pair in made]
        assert sorted(tuple(sorted(pair)) for pair in met) == [*combinations(range(teams), 2)]
    if cycles > 1:
        assert [(away, home) for home, away in rounds[0]] == rounds[length]


@pytest.mark.parametrize("teams", range(2, 7))
@pytest.mark.parametrize("boards", range(1, 5))
def test_board_meets_board(teams: int, boards: int) -> None:
    """Bots meet the bots of the same board, of every other team once."""
    names = [f"{team}.{board}" for team in range(teams) for board in range(boards)]
    texts = [
        f"team {team}: " + " | ".join(names[team * boards : (team + 1) * boards])
        for team in range(teams)
    ]
    form, field = Teams(teams=tuple(texts)), [Entrant(name) for name in names]
    form.check_field(names)
    rounds = form.rounds(len(names), None)
    met, played = set(), []
    for number in range(rounds):
        made = form.next_round(field, played, rounds)
        assert made is not None
        assert len(made.pairings) == form.pairings(len(names), rounds)[number]
        for pairing in made.pairings:
            first, second = sorted(names[seat] for seat in pairing.seats)
            assert first.split(".")[1] == second.split(".")[1]
            met.add((first, second))
        played.append(
            RoundResult(made, tuple(PairingResult(each, (1.0, 1.0)) for each in made.pairings))
        )
    assert len(met) == boards * teams * (teams - 1) // 2
    assert form.next_round(field, played, rounds) is None


def test_teams_are_ranked_by_match_points_then_board_points() -> None:
    """Red wins 2 : 0 and draws, Green wins 1.5 : 0.5 and draws."""
    results = {"ac": (2.0, 0.0), "ca": (0.0, 2.0), "bd": (2.0, 0.0), "db": (0.0, 2.0)}
    results |= {"ec": (2.0, 0.0), "ce": (0.0, 2.0)}
    form = Teams(teams=THREE)
    teams, matches, *boards = form.sections(NAMES, play(form, results))
    assert teams.table is not None
    assert matches.table is not None
    rows = [
        (row["rank"], row["team"], row["won"], row["drawn"], row["points"], row["boards"])
        for row in teams.table.rows
    ]
    assert rows == [
        (1, "Red", 1, 1, 3.0, 3.0),
        (2, "Green", 1, 1, 3.0, 2.5),
        (3, "Blue", 0, 0, 0.0, 0.5),
    ]
    assert len([*matches.table.rows]) == 3
    assert [(each.title, each.members) for each in boards] == [
        ("Board 1", (0, 2, 4)),
        ("Board 2", (1, 3, 5)),
    ]


def test_the_points_of_a_match_are_options() -> None:
    """Three for a win, as in football."""
    form = Teams(teams=("Red: a | b | c", "Blue: d | e | f"), team_win=3.0)
    results = {"ad": (2.0, 0.0), "da": (0.0, 2.0)}
    table = next(iter(form.sections(NAMES, play(form, results)))).table
    assert table is not None
    assert [row["points"] for row in table.rows] == [3.0, 0.0]


@pytest.mark.parametrize(
    ("points", "forfeited", "scores"),
    [
        ((3.0, 1.0), (), (1.0, 0.0)),
        ((1.0, 3.0), (), (0.0, 1.0)),
        ((2.0, 2.0), (), (0.5, 0.5)),
        ((0.0, 0.0), (0, 1), (0.0, 0.0)),
    ],
)
def test_a_board_scores_by_the_majority(
    points: tuple[float, ...], forfeited: tuple[int, ...], scores: tuple[float, ...]
) -> None:
    """A board that both forfeit is lost for both."""
    assert by_majority(PairingResult(Pairing((0, 1)), points, forfeited=forfeited)) == scores


@pytest.mark.parametrize(
    ("texts", "problem"),
    [
        ((), "expected at least two teams"),
        (("Red: a",), "expected at least two teams"),
        (("Red a", "Blue: b"), "expected 'TEAM: NAME | NAME', not 'Red a'"),
        (("Red: a |", "Blue: b"), "expected 'TEAM: NAME | NAME', not 'Red: a |'"),
        (("Red: a", "Red: b"), "team 'Red' is there twice"),
        (("Red: a", "Blue: a"), "bot 'a' is there twice"),
        (("Red: a", "Blue: b | c"), "Red has 1 and Blue has 2"),
    ],
)
def test_teams_that_are_written_wrongly_are_one_line(texts: tuple[str, ...], problem: str) -> None:
    """The line begins with the option."""
    with pytest.raises(BadKey, match=r"^teams: ") as raised:
        read_teams(texts)
    assert problem in str(raised.value)


def test_teams_have_to_fit_the_field() -> None:
    """Every bot is in a team, and every bot of a team is entered."""
    form = Teams(teams=THREE)
    with pytest.raises(BadKey, match="unknown bot"):
        form.check_field("abcdex")
    with pytest.raises(BadKey, match="no team has g"):
        form.check_field("abcdefg")
    with pytest.raises(BadInput, match="3 teams have 6 bots, and 4 are entered"):
        form.rounds(4, None)


def test_a_tournament_is_played_and_verified(tmp_path: Path) -> None:
    """Bots play, and the document has the teams."""
    bots = ["stand(at=17)", "random", "stand(at=15)", "stand(at=16)"]
    teams = ["Red: stand(at=17) | random", "Blue: stand(at=15) | stand(at=16)"]
    with open_database(tmp_path / "cup.db") as db:
        cup = db.run(bots, format="teams", format_options={"teams": teams}, games=2, seed=1)
        sections = cup.sections()
    assert verify_tournament(1, tmp_path / "cup.db")["verified"]
    assert {row["team"] for row in sections["Teams"]} == {"Red", "Blue"}
    (match,) = sections["Matches of teams"]
    assert match["home_boards"] + match["away_boards"] == 2
    assert len(sections["Board 1"]) == len(sections["Board 2"]) == 2
