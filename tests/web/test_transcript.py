"""Pages of matches have transcripts of language models for organisers only, and only if asked."""

from __future__ import annotations

import os
from datetime import UTC, datetime

import pytest
import trio
from arena_results.bots.authors import log_in, new_token, tokens
from arena_results.file.database import open_database

import arena
from arena.core.errors import BadInput
from arena.web.routes.login import COOKIE
from arena.web.site.guard.settings import Settings
from tests.cli.asked_models import MATCHES, ask_all
from tests.cli.in_process import run_in_process
from tests.cli.tournament_runs import Place
from tests.web.client import visiting

NOW = datetime.now(UTC)
MATCH = "/m/1.1.1.2?view=seat1"
SECTION, QUESTION = "<summary>Transcript</summary>", "Decision 1:"


@pytest.fixture(scope="module")
def asked(tmp_path_factory):
    """The settings of a site whose only tournament has a transcript, and two logins."""
    place = Place(tmp_path_factory.mktemp("asked"))
    games = ("--games", str(MATCHES), "--seed", "1", "--concurrency", "1")
    answer = place.arena("compare", "stand", "counter", *games)
    assert answer.code == 0, answer.err
    trio.run(ask_all, place.url)
    logins = {}
    with open_database(place.url) as database:
        for name, organises in (("Olga", True), ("Ann", False)):
            new_token(database, name, NOW, organises=organises)
            token = next(each for each in tokens(database) if each.author == name)
            logins[name] = f"{COOKIE}={log_in(database, token, NOW)}"
    return Settings(db=place.url, organise=str(place.folder / "event"), transcripts=True), logins


async def test_an_organiser_reads_the_transcript_of_a_match(asked):
    settings, logins = asked
    async with visiting(settings) as visitor:
        page = await visitor.get(MATCH, cookie=logins["Olga"])
        other = await visitor.get(MATCH.replace("seat1", "seat0"), cookie=logins["Olga"])
        both = await visitor.get(MATCH.replace("seat1", "public"), cookie=logins["Olga"])
    assert page.headers["cache-control"] == "no-store"
    assert page.text.count(SECTION) == 1
    assert page.text.count("<summary>Prompt</summary>") == 4
    shown = '<p class="small">attempt 2: legal, stand, 1,000 + 10 tokens, 0.5 s, $0.010000, stop'
    assert shown in page.text
    assert QUESTION in page.text
    assert "\x1b" not in page.text
    assert QUESTION not in other.text  # the other bot is no model
    assert QUESTION in both.text


async def test_nobody_else_sees_a_transcript(asked):
    settings, logins = asked
    async with visiting(settings) as visitor:
        await visitor.get(MATCH, cookie=logins["Olga"])  # nothing of it is cached for others
        public = await visitor.get(MATCH)
        author = await visitor.get(MATCH, cookie=logins["Ann"])
    for page in (public, author):
        assert page.status == 200
        assert SECTION not in page.text
        assert QUESTION not in page.text


def test_transcripts_need_organisers(asked, tmp_path):
    settings, _ = asked
    with pytest.raises(BadInput, match=r"^transcripts: only organisers .* add organise=\.\.\.$"):
        arena.open_database(settings.db).site.serve(transcripts=True)
    code, _, err = run_in_process(("serve", "--transcripts"), tmp_path, os.environ)
    assert (code, err.splitlines()[0]) == (
        2, "arena: --transcripts: only organisers see transcripts; add --organise",
    )  # fmt: skip


async def test_everybody_sees_the_numbers_of_models_with_the_results(asked):
    settings, _ = asked
    async with visiting(settings) as visitor:
        event, bot = await visitor.get("/t/1"), await visitor.get("/b/counter")
    assert '<h2 id="models-title">Language models</h2>' in event.text
    for page in (event, bot):
        assert "50.0%" in page.text
        assert "$0.04" in page.text
        assert QUESTION not in page.text


async def test_without_the_option_nobody_sees_a_transcript(asked):
    settings, logins = asked
    plain = Settings(db=settings.db, organise=settings.organise)
    async with visiting(plain) as visitor:
        page = await visitor.get(MATCH, cookie=logins["Olga"])
    assert page.status == 200
    assert SECTION not in page.text
