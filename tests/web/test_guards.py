"""The guards in front of every request: headers, hosts, requests of other sites, limits."""

from __future__ import annotations

from http import HTTPStatus

import msgspec
import pytest
import trio

from arena.core.errors import BadInput
from arena.service.league.league_file import LeagueLimits, LeagueSpec
from arena.web.site.guard.errors import Refused
from arena.web.site.guard.limits import Allowance, SentFiles, Streams, who
from arena.web.site.guard.settings import Limits, Settings, checked_prefix
from arena.web.site.security import OwnPages, Placed, SmallBodies
from tests.web.client import Visitor, scope, visiting


async def test_pages_have_neither_scripts_nor_styles_inside(site):
    for address in ("/", "/b", "/b/random", "/g/pazaak/standard", "/t/1", "/t/1/matches"):
        text = (await site.get(address)).text
        assert "<style" not in text
        assert " style=" not in text
        assert text.count("<script") == text.count("<script src=")
        assert " on" not in {word[:3] for word in text.split("<a ")}


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost", 200),
        ("127.0.0.1:9999", 200),
        ("[::1]:8000", 200),
        ("evil.example", 421),
        ("localhost.evil.example", 421),
        ("[", 421),
    ],
)
async def test_a_local_site_answers_to_its_own_names_alone(site, host, status):
    assert (await site.get("/api", host=host)).status == status


async def test_behind_a_proxy_name_and_address_are_the_proxys(cups):
    limits = Limits(requests=2)
    async with visiting(Settings(db=cups, behind_proxy=True, limits=limits)) as site:
        for address in ("203.0.113.5", "6.6.6.6, 203.0.113.5", "203.0.113.5"):
            answer = await site.get("/api", host="arena.example", x_forwarded_for=address)
        assert answer.status == 429
        assert (await site.get("/api", x_forwarded_for="203.0.113.6")).status == 200


async def echo(scope, receive, send):
    """An application that reads the body, and answers with its size."""
    size, more = 0, True
    while more:
        message = await receive()
        size, more = size + len(message["body"]), message["more_body"]
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": str(size).encode()})


@pytest.mark.parametrize(
    ("headers", "passes"),
    [
        ({"sec_fetch_site": "same-origin"}, True),
        ({"sec_fetch_site": "cross-site"}, False),
        ({"sec_fetch_site": "same-site"}, False),
        ({"sec_fetch_site": "none"}, False),
        ({"sec_fetch_site": "cross-site", "origin": "http://localhost:8000"}, False),
        ({"origin": "http://localhost:8000"}, True),
        ({"origin": "https://localhost:8000"}, False),
        ({"origin": "http://evil.example"}, False),
        ({"origin": "null"}, False),
        ({}, False),
        ({"authorization": "Bearer arena_x", "sec_fetch_site": "cross-site"}, True),
        ({"authorization": "Basic x"}, False),
    ],
)
async def test_requests_of_other_sites_that_could_change_something_are_refused(
    site, headers, passes
):
    guarded = Visitor(OwnPages(echo, site.site), site.site)
    if passes:
        assert (await guarded.send("POST", "/", [b"x"], **headers)).status == 200
    else:
        with pytest.raises(Refused) as refused:
            await guarded.send("POST", "/", [b"x"], **headers)
        assert refused.value.status_code == 403
    assert (await guarded.send("GET", "/", [b""], **headers)).status == 200


async def test_a_body_is_small(site):
    most = site.site.settings.limits.body_bytes
    guarded = Visitor(SmallBodies(echo, site.site), site.site)
    assert (await guarded.send("POST", "/", [b"x" * most])).text == str(most)
    for parts, headers in (
        ([b"x"] * 2, {"content_length": str(most + 1)}),
        ([b"x" * most, b"x"], {}),
        ([b"x"], {"content_length": "-1"}),
    ):
        with pytest.raises(Refused) as refused:
            await guarded.send("POST", "/", parts, **headers)
        assert refused.value.status_code == 413


async def test_a_slow_body_ends_in_time(site, autojump_clock):
    async def trickle():
        await trio.sleep(3)
        return {"type": "http.request", "body": b"x", "more_body": True}

    guarded = SmallBodies(echo, site.site)
    with pytest.raises(Refused) as refused:
        await guarded(scope("POST", "/", {}), trickle, None)
    assert refused.value.status_code == HTTPStatus.REQUEST_TIMEOUT
    assert trio.current_time() == pytest.approx(site.site.settings.limits.seconds)


async def test_a_bot_may_arrive_more_slowly_but_not_for_ever(cups, autojump_clock):
    league = LeagueSpec(name="Cantina")
    async with visiting(Settings(db=cups, league=league)) as site:
        guarded = SmallBodies(echo, site.site)

        async def trickle():
            await trio.sleep(3)
            return {"type": "http.request", "body": b"x", "more_body": True}

        begun = trio.current_time()
        with pytest.raises(Refused, match="did not arrive within 60 seconds") as refused:
            await guarded(scope("POST", "/api/submissions", {}), trickle, None)
        assert refused.value.status_code == HTTPStatus.REQUEST_TIMEOUT
        assert trio.current_time() - begun == pytest.approx(60)


async def test_an_allowance_comes_back_with_time(autojump_clock):
    allowance = Allowance(60)
    for _ in range(60):
        allowance.spend("a")
    with pytest.raises(Refused) as refused:
        allowance.spend("a")
    assert refused.value.retry_after == 1
    allowance.spend("b")
    await trio.sleep(1)
    allowance.spend("a")
    with pytest.raises(Refused):
        allowance.spend("a")


async def test_files_to_a_league_are_limited_by_author_and_by_address(autojump_clock):
    sent = SentFiles(LeagueLimits(hour=2, address_hour=3))
    sent.count("Ann", "a")
    sent.count("Ann", "b")
    with pytest.raises(Refused, match="more than 2 files an hour from Ann") as refused:
        sent.count("Ann", "c")
    assert (refused.value.status_code, refused.value.retry_after) == (429, 1800)
    sent.count("Bob", "a")
    sent.count("Eve", "a")
    with pytest.raises(Refused, match="more than 3 files an hour from a; try again in 1200 s"):
        sent.count("Cid", "a")
    await trio.sleep(1800)
    sent.count("Ann", "a")


async def test_too_many_requests_are_refused_with_a_time_to_try_again(cups):
    async with visiting(Settings(db=cups, limits=Limits(requests=3))) as site:
        answers = [await site.get("/api") for _ in range(4)]
    assert [each.status for each in answers] == [200, 200, 200, 429]
    assert int(answers[3].headers["retry-after"]) >= 1
    assert "more than 3 requests a minute from 127.0.0.1" in answers[3].json["error"]


def test_streams_are_limited_by_address_and_in_all():
    streams = Streams(Limits(streams=2, all_streams=3))
    with streams.one("a"), streams.one("a"), streams.one("b"):
        for address in ("a", "c"):
            with pytest.raises(Refused), streams.one(address):
                pass
    with streams.one("c"):
        pass


def test_a_visitor_is_an_address_or_a_network_of_ipv6():
    assert who("192.0.2.7") == who("::ffff:192.0.2.7") == "192.0.2.7"
    assert who("2001:db8::1") == who("2001:db8::ffff") != who("2001:db8:0:1::1")
    assert who("fe80::1%eth0") == who("fe80::2")
    assert who("no address") == "unknown"


@pytest.mark.parametrize(
    ("reported", "visitor"),
    [
        ("10.0.0.1:4444", "10.0.0.1"),
        ("[2001:db8::1]:443", "2001:db8::"),
        ("[2001:db8::1]", "2001:db8::"),
        ("[::ffff:192.0.2.7]:1", "192.0.2.7"),
        ("[", "unknown"),
        ("host:80", "unknown"),
    ],
)
def test_an_address_may_have_a_port(reported, visitor):
    assert who(reported) == visitor


@pytest.mark.parametrize("prefix", ["", "/", "arena", "/arena/", "/a/b-c"])
async def test_the_site_works_under_a_prefix_that_a_proxy_keeps_or_takes_off(cups, prefix):
    checked = checked_prefix(prefix)
    async with visiting(Settings(db=cups, prefix=checked)) as site:
        for address in ("/t/1", f"{checked}/t/1"):
            text = (await site.get(address)).text
            assert f'href="{checked}/b/random"' in text
            assert f'href="{checked}/static/style.css' in text
            assert f'hx-sse:connect="{checked}/live/t/1"' in text
        assert (await site.get(f"{checked}/api/games")).status == 200
        assert f"{checked}/api/games" in (await site.get(f"{checked}/api")).json


@pytest.mark.parametrize(
    ("lines", "status"),
    [
        (["https"], 200),
        (["HTTPS"], 200),
        (["http", "https"], 200),
        (["https", "http"], 403),
        (["https, http"], 403),
        ([], 403),
    ],
)
async def test_behind_a_proxy_the_scheme_is_what_the_proxy_adds_at_the_end(cups, lines, status):
    async with visiting(Settings(db=cups, behind_proxy=True)) as site:
        sent = scope("POST", "/", {"origin": "https://localhost:8000"})
        sent["headers"] += [(b"x-forwarded-proto", each.encode()) for each in lines]
        body, answers = [{"type": "http.request", "body": b"", "more_body": False}], []

        async def receive():
            return body.pop()

        async def send(message):
            answers.append(message.get("status"))

        guarded = Placed(OwnPages(echo, site.site), site.site)
        try:
            await guarded(sent, receive, send)
        except Refused as error:
            answers.append(error.status_code)
        assert answers[0] == status


async def test_a_prefix_without_its_slash_leads_to_the_first_page(cups):
    async with visiting(Settings(db=cups, prefix="/arena")) as site:
        for address, location in (("/arena", "/arena/"), ("/arena?q=a", "/arena/?q=a")):
            answer = await site.get(address)
            assert (answer.status, answer.headers["location"]) == (307, location)
        assert (await site.send("POST", "/arena")).status == 404
        assert (await site.get("/arenas")).status == 404


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "TRACE", "OPTIONS"])
async def test_a_method_that_an_address_has_not_is_named_with_those_that_it_has(site, method):
    answer = await site.send(method, "/t/1")
    assert (answer.status, answer.headers["allow"]) == (405, "GET, HEAD")
    assert f"{method} /t/1: this address has GET, HEAD" in answer.text
    answer = await site.send(method, "/api/games")
    assert answer.json == {"error": f"{method} /api/games: this address has GET, HEAD"}
    assert (await site.send(method, "/nothing")).status == 404


@pytest.mark.parametrize("prefix", ["/a b", "http://x", "/../x", "/a?b", '/"'])
def test_a_prefix_is_a_path(prefix):
    with pytest.raises(BadInput, match="expected a path such as /arena"):
        checked_prefix(prefix)


def test_limits_are_values():
    assert msgspec.structs.asdict(Limits())["body_bytes"] == 64 * 1024
