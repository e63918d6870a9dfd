"""Nobody is shown what is secret: seeds, hidden cards and bots' texts of unfinished tournaments."""

from __future__ import annotations

import re

import pytest

from arena.plugins.registry import Registry
from arena.service.match.replays import parse_numbers, stored_match
from arena.service.public.documents import public_history
from arena.service.storage.databases import open_database

OPEN, UNFINISHED = "1", "2"


async def test_an_open_seed_is_shown_when_the_tournament_is_finished(site):
    seeds = {row["id"]: row["seed"] for row in (await site.get("/api/tournaments")).json}
    assert seeds == {1: 7, 2: None}
    assert (await site.get("/api/tournaments/2")).json["tournament"]["seed"] is None
    assert (await site.get("/api/tournaments/1")).json["tournament"]["seed"] == 7


@pytest.mark.parametrize("view", ["seat0", "seat1", "all"])
async def test_hidden_seats_of_an_unfinished_tournament_stay_hidden(site, view):
    for address in (f"/api/matches/2.1.1.1?view={view}", f"/m/2.1.1.1?view={view}"):
        answer = await site.get(address)
        assert answer.status == 404
        assert (
            "match 2.1.1.1 has only the view public until its tournament is finished" in answer.text
        )
    assert (await site.get(f"/api/matches/1.1.1.1?view={view}")).status == 200


async def test_pages_of_the_public_view_hold_no_seed_and_no_loadout(site, cups):
    with open_database(cups) as database:
        found = stored_match(Registry(), database, 2, parse_numbers(database, "2.1.1.1").key)
    loadouts = [seat.loadout for seat in found.replay("all").seats]
    assert all(loadouts)
    assert (await site.get("/api/matches/2.1.1.1")).json["seed"] is None
    for address in ("/m/2.1.1.1", "/api/matches/2.1.1.1"):
        text = (await site.get(address)).text
        assert f"seed {found.record.seed}" not in text
        assert not any(loadout in text for loadout in loadouts)


async def test_tracebacks_and_logs_are_never_shown(site, cups):
    with open_database(cups) as database:
        found = stored_match(Registry(), database, 1, parse_numbers(database, "1.1.2.1").key)
    assert "Traceback" in found.error
    for address in ("/m/1.1.2.1?view=all", "/api/matches/1.1.2.1?view=all"):
        text = (await site.get(address)).text
        assert "Traceback" not in text
    assert (await site.get("/api/matches/1.1.2.1?view=all")).json["ending"]["error"] is None


async def test_reasons_of_unfinished_matches_may_name_a_hand(site):
    for number, shown in (("1", True), ("2", False)):
        rows = (await site.get(f"/api/tournaments/{number}/matches?bot=sore&cause=crash")).json
        assert rows
        assert all(bool(row["reason"]) is shown for row in rows)
        text = (await site.get(f"/t/{number}/matches")).text
        assert not re.search("I hold", text)


def test_the_history_of_a_bot_is_that_of_finished_tournaments(cups):
    with open_database(cups) as database:
        document = public_history(Registry(), database, "sore").document()
    assert document["matches"] == 2  # of 6
