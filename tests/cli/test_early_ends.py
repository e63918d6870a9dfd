"""Tournaments that end early, cuts through a tie, and drawn bouts, in every face."""

from __future__ import annotations

import json

import pytest

import arena as api

TWINS = ("one", "two", "three", "four")


class Stands(api.Bot):
    """Ends its turn once, then stands: equal bots draw every mirrored pair."""

    games = ("pazaak",)

    def act(self, observation):
        return observation.legal_actions[1]


@pytest.fixture(scope="module")
def database(tmp_path_factory):
    """The file of a database that tests only read: one bot left of a Swiss; equals in stages."""
    file = tmp_path_factory.mktemp("ends") / "ends.db"
    bots = ["stand(at=17)", "stand(at=16)", "stand(at=15)", "random"]
    with api.open_database(file) as db:
        db.run(bots, format="swiss", rounds=3, games=2, seed=1, pause_after_round=1)
        for bot in bots[1:]:
            db.organiser(1).withdraw(bot)
        db.resume(1)
        stages = [{"format": "swiss", "rounds": 1}, {"format": "knockout", "take": 2}]
        twins = [api.PythonBot(Stands, name) for name in TWINS]
        db.run(twins, stages=stages, games=2, seed=1)
    return file


@pytest.fixture
def shown(arena, database, tmp_path):
    """Returns a tournament as text, as a document, and as a page."""

    def read(number):
        url = f"sqlite:///{database}"
        text = arena("tournament", "show", number, "--db", url).out
        document = arena("tournament", "show", number, "-o", "json", "--db", url).out
        page = tmp_path / f"{number}.html"
        answer = arena("report", number, "--single", page, "--replays", 0, "--db", url)
        assert answer.code == 0, answer.err
        return text, json.loads(document), page.read_text()

    return read


def test_a_swiss_of_one_bot_ends_after_its_one_bye(shown, arena, database):
    text, document, page = shown(1)
    reason = "stand(at=17) is the only one left, and nobody has the bye twice (C.04.3, C2)"
    line = f"Ended early, after 2 of 3 rounds: {reason}."
    assert line in text
    assert line in page
    assert "2 of 3 rounds" in text.splitlines()[2]
    assert document["tournament"]["ended_early"] == reason
    assert document["tournament"]["status"] == "finished"
    assert [len(each["byes"]) for each in document["rounds"]] == [0, 1]
    url = f"sqlite:///{database}"
    again = arena("tournament", "resume", 1, "--db", url)
    assert "there is nothing left to play" in again.err + again.out
    assert arena("tournament", "verify", 1, "--db", url).code == 0


def test_a_tie_at_the_cut_and_a_drawn_bout_say_how_they_were_decided(shown):
    text, document, page = shown(2)
    cut = (
        "Tie at the cut: stage 2 takes 2, and one, two, three and four are level after all "
        "tie-breaks. By the initial order one and two enter."
    )
    assert cut in text
    assert cut in page
    swiss, knockout = document["stages"]
    assert swiss["cut"] == {
        "takes": 2, "level": [*TWINS], "taken": ["one", "two"], "by": "initial order",
    }  # fmt: skip
    assert "cut" not in knockout
    (final,) = knockout["bracket"]
    assert (final["winner"], final["decided_by"]) == ("one", "seed")
    points = f"{final['points'][0]:g}"
    drawn = f"Drawn final, {points}-{points}: to one as the higher seed"
    assert drawn in text
    tie = page.split('<div class="tie"')[1].split("</div>")[0]
    assert 'aria-label="final"' in tie
    assert tie.count(f"<b>{points}</b>") == 2
    assert '<span class="why">one as the higher seed</span>' in tie


def test_the_standings_of_a_bracket_have_no_score_to_rank_by(shown):
    text, document, page = shown(2)
    head = text.split("Stage 2: knockout")[1].splitlines()[1]
    assert head.split()[:2] == ["#", "bot"]
    assert "score" not in head
    assert {line["score"] for line in document["stages"][1]["standings"]} == {0.5}
    assert "Standings: ranked by how far each came" in page
