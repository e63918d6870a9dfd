"""The forms for trio programs: the same arguments and answers as the functions they belong to."""

from __future__ import annotations

import inspect

import pytest
import trio

import arena
from arena.api.database.site import SiteServer
from tests.api.test_play_match import FILE, Cautious

pytestmark = [
    pytest.mark.filterwarnings("ignore:.*NOT CONFINED:UserWarning"),
    pytest.mark.usefixtures("shallow_search"),
]
FORMS = {
    f"{owner.__name__}.{name}": (getattr(owner, name.removesuffix("_async")), getattr(owner, name))
    for owner in (arena, arena.stats, arena.ResultsDatabase, SiteServer)
    for name in dir(owner)
    if name.endswith("_async")
}


def test_all_that_plays_or_checks_has_one():
    assert {name.rpartition(".")[2].removesuffix("_async") for name in FORMS} == {
        *("run", "resume", "fork", "match", "submit", "verify"),
        *("play_match", "check_bot", "check_cases", "check_game", "doctor", "verify_tournament"),
        *("dry_run", "compare", "serve"),
    }


@pytest.mark.parametrize("name", FORMS)
def test_it_takes_the_arguments_of_its_function(name):
    function, form = FORMS[name]
    assert inspect.iscoroutinefunction(form)
    assert not inspect.iscoroutinefunction(function)
    assert inspect.signature(form) == inspect.signature(function)
    assert "for trio programs" in form.__doc__
    assert form.__qualname__ == f"{function.__qualname__}_async"


@pytest.fixture
def db(tmp_path):
    (tmp_path / "careful.py").write_text(FILE)
    with arena.open_database(tmp_path / "a.db") as db:
        yield db


async def test_what_would_block_trio_names_the_form_to_await(db, tmp_path):
    for name, call in {
        "play_match": lambda: arena.play_match("random", "counter"),
        "check_bot": lambda: arena.check_bot("random", matches=1),
        "submit": lambda: db.submit(tmp_path / "careful.py", game="pazaak"),
        "run": lambda: db.run(["random", "counter"], games=2),
        "match": lambda: db.match("random", "counter", games=2),
        "resume": lambda: db.resume(1),
    }.items():
        with pytest.raises(arena.BadInput, match=f"^{name} would block trio.*: await {name}_async"):
            call()
    assert db.tournaments() == []


async def test_matches_are_played_beside_other_tasks(db, tmp_path):
    bots = ("counter", Cautious, tmp_path / "careful.py")
    played = {}

    async def play(bot):
        played[bot] = await arena.play_match_async(bot, "random", seed=4, isolation="process")

    async with trio.open_nursery() as nursery:
        for bot in bots:
            nursery.start_soon(play, bot)
    assert {match.names[0] for match in played.values()} == {"counter", "Cautious", "careful"}
    again = await trio.to_thread.run_sync(lambda: arena.play_match("counter", "random", seed=4))
    assert played["counter"].record.to_bytes() == again.record.to_bytes()


@pytest.mark.thorough("the forms that wait do so")
async def test_a_bot_is_submitted_checked_and_played(db, tmp_path):
    answer = await db.submit_async(tmp_path / "careful.py", game="pazaak", seed=3)
    assert answer["status"] == "entered"
    report = await arena.check_bot_async(tmp_path / "careful.py", matches=1, isolation="process")
    assert report["passed"]
    cup = await db.match_async("careful", Cautious, games=2, isolation="process")
    assert cup.finished
    assert (await db.verify_async("1"))["matches"] == 2
    with pytest.raises(arena.BadInput, match="unknown bot 'nobody'"):
        await arena.play_match_async("nobody", "random")


async def test_checks_are_those_of_their_functions(tmp_path):
    report = await arena.check_game_async("pazaak", redeals=5, seed=3)
    assert report == await trio.to_thread.run_sync(
        lambda: arena.check_game("pazaak", redeals=5, seed=3)
    )
    with pytest.raises(arena.BadInput, match="cannot read"):
        await arena.check_cases_async(tmp_path / "none.json")
