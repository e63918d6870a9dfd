"""``arena bots show --matches``: luck, mistakes and faults of a bot's matches, and why it lost."""

from __future__ import annotations

import json

import pytest

from arena.core.errors import BadInput
from arena.plugins.registry import Registry
from arena.service.boards.history import bot_history
from arena.service.storage.databases import open_database


def history_of(url, bot, matches=1000):
    with open_database(url) as results:
        return bot_history(Registry(), results, bot, matches)


def in_json(arena, *words):
    return json.loads(arena(*words, "-o", "json").out)


@pytest.mark.thorough("test_analysis.py sums replays, the next test all matches")
def test_the_sums_are_those_of_the_replays(arena, stored):
    found = history_of(stored, "random", 23)  # of them 20 that its rival lost before the deal
    assert (found.matches, found.more) == (23, True)
    rows = in_json(arena, "matches", "2", "--bot", "random", "--db", stored)
    seats = [0 if row["name0"] == "random" else 1 for row in rows[17:20]]
    analyses = [
        in_json(arena, "replay", row["match"], "--analysis", "--db", stored)["analysis"]
        for row in rows[17:20]
    ]
    own = [each["seats"][seat] for each, seat in zip(analyses, seats, strict=True)]
    assert found.luck == pytest.approx(sum(each["luck"] for each in own) / 23)
    assert found.given_away == pytest.approx(sum(each["given_away"] for each in own))
    assert found.decisions == sum(each["evaluated"] for each in own)
    assert found.mistakes == sum(each["mistakes"] for each in own)
    given = [each.given_away for each in found.worst]
    assert len(given) == 10
    assert given == sorted(given, reverse=True)
    worst = found.worst[0]
    assert worst.replay == f"arena replay {worst.match} --move {worst.move}"
    moment = in_json(arena, "replay", worst.match, "--db", stored)["moments"][worst.move]
    assert moment["action"] == worst.action != worst.better


def test_every_lost_match_has_one_cause(arena, stored):
    found = history_of(stored, "random")
    for result in ("won", "drawn", "lost"):
        rows = in_json(arena, "matches", "--bot", "random", f"--{result}", "--db", stored)
        assert getattr(found, result) == len(rows)
    assert sum(found.lost_by.values()) == found.lost
    assert {*found.lost_by} <= {"luck", "mistakes", "play"}
    assert not found.more
    assert history_of(stored, "sore").lost_by == {"crash": found_faults(arena, stored)}


def found_faults(arena, stored):
    words = "matches", "--bot", "sore", "--lost", "--cause", "crash", "--db", stored
    return len(in_json(arena, *words))


def test_a_bot_is_found_with_any_parameters_or_one_version(stored):
    every = history_of(stored, "stand", 2)
    assert every == history_of(stored, "stand(at=17)", 2) == history_of(stored, "stand@1.0", 2)
    assert history_of(stored, "stand@9").matches == 0
    with pytest.raises(BadInput, match="0 matches: expected a number from 1"):
        history_of(stored, "stand", 0)


def test_it_is_shown_only_where_it_is_asked_for(arena, stored):
    plain = arena("bots", "show", "random", "--db", stored).out
    text = arena("bots", "show", "random", "--matches", "22", "--db", stored).out
    assert text.startswith(plain)
    added = text[len(plain) :].splitlines()
    assert added[0].startswith("last 22 matches: ")
    assert [line.split(": ")[0] for line in added[1:3]] == ["luck", "mistakes"]
    assert "Worst decisions" in added
    assert max(map(len, added)) <= 100
    shown = in_json(arena, "bots", "show", "random", "--matches", "22", "--db", stored)
    assert shown.pop("history")["matches"] == 22
    assert shown == in_json(arena, "bots", "show", "random", "--db", stored)
