"""Arguments of a wrong kind are one line of ``BadInput``; those of a kind close to it are taken."""

from __future__ import annotations

import pytest

import arena
from arena.core.errors import UnknownName
from tests.api.test_play_match import FILE, Cautious

pytestmark = pytest.mark.usefixtures("shallow_search")


class Int64:
    """A whole number as numpy has it."""

    def __init__(self, value: int) -> None:
        self.value = value

    def __index__(self) -> int:
        return self.value


@pytest.fixture(scope="module")
def db(tmp_path_factory):
    with arena.open_database(tmp_path_factory.mktemp("arguments") / "a.db") as db:
        db.run(["counter", "random"], games=2)
        yield db


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda db: arena.open_database(7), "db: expected a text or a path, not 7"),
        (lambda db: db.run("counter"), "bots is a list of bots, not 'counter'"),
        (lambda db: db.run(Cautious), "bots is a list of bots, not <class"),
        (lambda db: db.run(None), "bots is a list of bots, not None"),
        (lambda db: db.run(file=5), "file: expected a text or a path, not 5"),
        (lambda db: db.match("random", "counter", seats=3), "seats: give the bots as arguments"),
        (lambda db: arena.play_match("random", "stand", bots=[]), "bots: give the bots as arg"),
        (lambda db: db.resume("1"), "number: expected a whole number from 0 to .*, not '1'"),
        (lambda db: db.tournament(None), "number: expected a whole number from 0 to .*, not None"),
        (lambda db: db.tournament(1.0), "number: expected a whole number from 0 to .*, not 1.0"),
        (lambda db: db.tournament(2**63), "number: expected a whole number from 0 to .*, not 9"),
        (lambda db: db.tournament(1).match(leg="2"), "leg: expected a whole number"),
        (lambda db: db.replay(1.1), "match: expected a text such as '3.1.2.1', not 1.1"),
        (lambda db: db.verify(None), "match: expected a text such as '3.1.2.1', not None"),
        (lambda db: db.bot(5), "name: expected a text"),
        (lambda db: db.enable_bot(5), "name: expected a text"),
        (lambda db: db.submit(Cautious), "path: expected a text or a path, not <class"),
        (lambda db: db.submit("x.py", seed=-1), "seed: expected a whole number from 0 to 9007"),
        (lambda db: db.submit("x.py", seed="x"), "seed: expected a whole number from 0 to 9007"),
        (lambda db: db.submit("x.py", allow="numpy"), "allow: expected a list, not 'numpy'"),
        (lambda db: db.submit("x.py", isolation="none"), "isolation: expected auto or trusted"),
        (lambda db: arena.check_game("pazaak", redeals=0), "redeals: expected a whole number"),
        (lambda db: arena.check_game("pazaak", seed=-1), "seed: expected a whole number"),
        (lambda db: arena.check_bot("random", matches=0), "matches: expected a whole number"),
        (lambda db: arena.check_bot("random", seed=2**63), "seed: expected a whole number"),
        (lambda db: arena.check_cases(5), "files: expected a text or a path, not 5"),
        (lambda db: arena.new_bot(5), "name: expected a text, not 5"),
        (
            lambda db: arena.play_match("random", "stand", games=3),
            "games: not available for one match",
        ),
        (lambda db: arena.check_bot(), "check_bot needs a bot, or command=... for a program"),
        (lambda db: arena.check_bot("random", command="x"), "check_bot needs a bot, or command="),
        (lambda db: db.match("random", "counter", games="2"), "games: expected a whole number"),
        (lambda db: db.match("random", "counter", games=2.5), "games: expected a whole number"),
        (lambda db: db.leaderboard(tournament="1"), "tournament: expected a whole number from 0"),
        (lambda db: db.leaderboard(game=3), "game: expected a text, not 3"),
        (lambda db: db.leaderboard(anchor="x=1"), "anchor: expected a mapping, not 'x=1'"),
        (
            lambda db: arena.stats.pictures.leaderboard(db, tournament="1"),
            "tournament: expected a whole number from 0",
        ),
        (lambda db: db.enable_bot("\ud800"), r"name: expected a text, not '\\ud800'"),
        (lambda db: db.run(["random", "stand"], progress=3), "progress: expected a function"),
        (lambda db: db.match("random", "stand", events=3), "events: expected a function, not 3"),
        (lambda db: db.resume(1, progress=3), "progress: expected a function, not 3"),
        (
            lambda db: db.run(["random", "stand"], pause_after_round="1"),
            "^pause_after_round: expected a whole number from 0 to 9.*7, not '1'$",
        ),
        (
            lambda db: db.fork(1, pause_after_round=-1),
            "^pause_after_round: expected a whole number from 0 to 9.*7, not -1$",
        ),
        (lambda db: db.resume(1, evnts=print), "unknown argument 'evnts'; choices: .*mean events?"),
        (lambda db: db.tournament(1).export("x\0y"), "to: expected a text or a path, not 'x"),
        (lambda db: db.tournament(1).match().luck("all", 3), "value_function: expected a text or"),
        (lambda db: arena.stats.compare("a", "b", max_games=0), "max_games: expected a whole num"),
        (lambda db: arena.stats.compare("a", "b", sprt=3), "sprt: expected a text or a mapping"),
        (lambda db: arena.export([{"a": 1}], columns="a"), "columns: expected a list, not 'a'"),
        (lambda db: arena.export("rows"), "rows: expected a list, not 'rows'"),
        (lambda db: arena.describe_game("x" * 1000 + "\n"), "unknown game 'xxx"),
        (lambda db: arena.describe_game(["x" * 1000]), r"name: expected a text, not \['x+\.\.\.$"),
        (lambda db: arena.PythonBot(Cautious, ""), "name and version are texts, not ''"),
        (lambda db: arena.PythonBot(Cautious, "x", 2), "name and version are texts, not 2"),
    ],
)
def test_a_wrong_kind_of_argument_is_one_line(db, call, text):
    with pytest.raises(arena.BadInput, match=text) as raised:
        call(db)
    assert "\n" not in str(raised.value)
    assert len(db.tournaments()) == 1


def test_errors_advise_what_python_calls_take(db, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(FILE)
    (tmp_path / "a b.py").write_text(FILE)
    (tmp_path / "a b").mkdir()
    (tmp_path / "a b" / "a b.py").write_text(FILE)
    db.tournament(1).report(html="pages", replays=0)
    for call, text in (
        (lambda: db.tournament(1).report(html="pages"), "already: force=True replaces it"),
        (
            lambda: db.run(["mine.py", "stand"], isolation="trusted"),
            r"add trust=\['mine'\], or leave isolation at auto",
        ),
        (
            lambda: db.run(["a b", "stand"]),
            r"'a b': expected a name for a bot; give one with arena submit 'a b' --name: ",
        ),
        (
            lambda: db.run(["stand", "random"], test="sprt(elo0=0, elo1=9, model=bayesian)"),
            "mirrored ones come in pairs; add mirrored=False",
        ),
        (
            lambda: db.career.new("own.career", ruleset="standard(skill_roll=true)"),
            r"career.play\(..., roll=True\)",
        ),
        (lambda: db.submit("a b.py"), r"expected a name for a bot; give one with name=\.\.\.: "),
    ):
        with pytest.raises(arena.BadInput, match=text):
            call()


async def test_errors_advise_what_awaited_calls_take(db, tmp_path):
    (tmp_path / "mine.py").write_text(FILE)
    with pytest.raises(arena.BadInput, match=r"add trust=\['mine'\], or leave isolation at auto"):
        await db.run_async([tmp_path / "mine.py", "stand"], isolation="trusted")


def test_whole_numbers_may_be_of_numpy(db):
    assert db.tournament(Int64(1)).number == 1
    assert db.tournament(1).match(leg=Int64(2)).number == "1.1.1.2"
    assert db.replay(1).number == "1.1.1.1"
    assert db.verify(1)["matches"] == 2


def test_keys_may_be_whole_numbers_of_numpy(tmp_path):
    with arena.open_database(tmp_path / "b.db") as db:
        assert len(db.match("counter", "random", games=Int64(2), seed=Int64(3)).matches()) == 2


def test_a_match_of_several_takes_a_format(tmp_path):
    with arena.open_database(tmp_path / "e.db") as db:
        bots = ["target-total", "cautious-folder", "random"]
        cup = db.match(*bots, game="sabacc", format="table-swiss", games=6, rounds=1)
    assert cup.summary.format == "table-swiss"


@pytest.mark.thorough("paths are resolved in one place")
def test_a_relative_path_holds_in_another_folder(tmp_path, monkeypatch):
    for folder in ("one", "other"):
        (tmp_path / folder).mkdir()
    (tmp_path / "careful.py").write_text(FILE)
    monkeypatch.chdir(tmp_path / "one")
    for name in ("cups.db", "sqlite:///more.db"):
        monkeypatch.chdir(tmp_path / "one")
        with arena.open_database(name) as db:
            monkeypatch.chdir(tmp_path / "other")
            assert db.match("counter", "random", games=2).finished
            assert db.submit(tmp_path / "careful.py", game="pazaak", seed=3)["status"] == "entered"
            assert "careful" in [row["name"] for row in db.bots()]
            assert repr(db) == f"<ResultsDatabase {tmp_path / 'one' / db.path.name}>"
    assert list((tmp_path / "other").iterdir()) == []


def test_a_closed_database_says_so(tmp_path):
    with arena.open_database(tmp_path / "c.db") as db:
        cup = db.match("counter", "random", games=2)
    calls = (
        db.tournaments,
        db.bots,
        db.leaderboard,
        cup.losses,
        lambda: db.tournament(1),
        lambda: db.replay(1),
        lambda: db.bot("counter"),
        lambda: db.match("counter", "random"),
        lambda: db.submit(__file__),
    )
    for call in calls:
        with pytest.raises(arena.BadInput, match=r"c\.db is closed; open it again"):
            call()
    assert cup.standings()


def test_progress_has_a_line(tmp_path):
    seen = []
    with arena.open_database(tmp_path / "d.db") as db:
        db.match("counter", "random", games=2, progress=lambda each: seen.append(repr(each)))
    assert seen[0] == "<Progress 0 of 2 matches, round 1 of 1>"
    assert seen[-1] == "<Progress 2 of 2 matches, round 1 of 1>"


def test_an_open_database_stands_for_its_address(db, tmp_path):
    (tmp_path / "careful.py").write_text(FILE)
    assert db.submit(tmp_path / "careful.py", game="pazaak", seed=3)["status"] == "entered"
    assert arena.play_match("careful", "random", db=db).names == ("careful", "random")
    assert arena.upgrade_database(db) is None


def test_a_bot_of_the_program_is_checked():
    seen = []
    report = arena.check_bot(Cautious, matches=2, progress=lambda *event: seen.append(event))
    assert (report["passed"], report["isolation"], report["matches"]) == (True, "trusted", 2)
    assert {(of, faults) for of, done, faults in seen} == {(4, 0)}
    bolder = arena.PythonBot(lambda: Cautious(19), "bolder")
    assert arena.check_bot(bolder, matches=1)["passed"]


def test_an_unknown_tournament_of_any_size_is_named(db):
    with pytest.raises(UnknownName, match="unknown tournament '0'; choices: 1"):
        db.tournament(0)
