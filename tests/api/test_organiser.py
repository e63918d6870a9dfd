"""The organiser's verbs from Python: pause, set, rename, delete, fork."""

from __future__ import annotations

import pytest

import arena
from tests.api.test_play_match import Cautious

FIELD = ["counter", "stand(at=17)", "random", Cautious]


@pytest.fixture
def db(tmp_path):
    with arena.open_database(tmp_path / "cups.db") as db:
        yield db


def test_a_tournament_pauses_after_a_round_and_goes_on(db):
    whole = db.run(FIELD, games=2, seed=3, format="swiss", rounds=2)
    cup = db.run(FIELD, games=2, seed=3, format="swiss", rounds=2, pause_after_round=1)
    assert (cup.finished, {row["round"] for row in cup.rounds()}) == (False, {1})
    db.organiser(2).set(concurrency=3)
    db.organiser(2).rename("summer")
    for name in ("n" * 101, "a\nb"):
        with pytest.raises(arena.BadInput, match=r"^name: expected 1 to 100 characters"):
            db.organiser(2).rename(name)
    cup = db.resume(bots=[Cautious])
    assert (cup.number, cup.finished, cup.summary.name) == (2, True, "summer")
    assert cup.standings() == whole.standings()
    for call in (lambda: db.organiser(2).pause(), lambda: db.organiser(2).set(concurrency=2)):
        with pytest.raises(arena.BadInput, match="tournament 2 is finished"):
            call()
    with pytest.raises(arena.BadInput, match="pause_after_round: expected a whole number"):
        db.run(FIELD, games=2, pause_after_round=-1)


def test_a_pause_is_asked_for_from_the_same_program(db):
    def pause(progress):
        if progress.done:
            db.organiser(1).pause("match")

    cup = db.run(["random", Cautious], games=2000, progress=pause)
    assert not cup.finished
    assert 1 < len(cup.matches()) < 2000
    assert [row["status"] for row in db.tournaments()] == ["interrupted"]


def test_a_tournament_is_forked_and_deleted(db):
    db.run(FIELD, games=2, seed=3, name="spring")
    fork = db.fork(1, [Cautious], name="summer")
    assert (fork.number, fork.summary.name, fork.summary.seed) == (2, "summer", 3)
    assert fork.standings() == db.tournament(1).standings()
    db.organiser(1).delete()
    assert [row["id"] for row in db.tournaments()] == [2]
    with pytest.raises(arena.BadInput, match="unknown tournament '1'; choices: 2"):
        db.organiser(1).rename("autumn")
