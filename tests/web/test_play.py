"""Play in the browser, by HTTP alone: whole matches, what is never sent, and what is refused."""

from __future__ import annotations

import re

import pytest
import trio
from arena_results.boards.leaderboard import leaderboard
from arena_results.file.database import open_database
from arena_results.store.queries import summary, tournaments

from arena.core.choices import Choice
from arena.core.outcome import Termination
from arena.core.record import MatchKey
from arena.core.scene import Face, Scene, Zone
from arena.plugins.registry import Registry
from arena.service.match.person import Request as Question
from arena.service.match.replays import Numbers, stored_match, verify
from arena.web.routes.play import COOKIE
from arena.web.site.guard.settings import Limits, Settings, plays
from arena.web.site.hand import hand_of, using
from tests.web.client import visiting
from tests.web.players import asked, over, player


@pytest.fixture(scope="module")
def registry():
    return Registry()


@pytest.fixture
def url(tmp_path):
    found = f"sqlite:///{tmp_path / 'play.db'}"
    with open_database(found, create=True):
        return found


@pytest.fixture
async def site(url):
    async with visiting(Settings(db=url, play=True)) as visitor:
        yield visitor


def stored(registry, url, number=1):
    with open_database(url) as database:
        return stored_match(registry, database, number, MatchKey(1, 1, 1))


async def test_a_match_of_pazaak_is_played_by_forms_stored_and_verified(site, registry, url):
    ann = await player(site)
    answer = await ann.sit_down("counter", game="pazaak", ruleset="standard")
    assert answer.status == 303
    assert re.fullmatch(r"/play/[\w-]{16}", ann.here)
    pages = [page async for page in ann.play_out(choice=2)]
    assert 'name="card" value="+1"' in pages[0]
    assert "counter" in pages[1]
    match = stored(registry, url)
    assert match.outcome.termination is Termination.RULES
    assert match.names == ("human", "counter")
    end = ann.pages[-1]
    assert "arena replay 1.1.1.1" in end
    assert "/m/1.1.1.1?view=all" in end
    assert (await site.get("/m/1.1.1.1?view=all")).status == 200
    home = (await site.get("/events")).text
    assert "1 exhibition match of a person against bots is not listed" in home
    assert 'href="/events?show=all"' in home
    assert "exhibition</td>" not in home
    assert "exhibition</td>" in (await site.get("/events?show=all&sort=-id")).text
    assert (await site.get("/events?show=none")).status == 404
    with open_database(url) as database:
        assert summary(database, 1).format == "exhibition"
        assert leaderboard(database) == ()
        assert verify(registry, database, Numbers(1)).differs == ""


async def test_a_table_of_four_is_played_with_amounts_from_two_seats(site, registry, url):
    ann = await player(site)
    bots = ["target-total", "cautious-folder", "random"]
    await ann.sit_down(*bots, game="sabacc", ruleset="old_republic", options="mode=chips,hands=1")
    pages = [page async for page in ann.play_out()]
    amounts = [page for page in pages if 'type="number"' in page]
    assert amounts
    match = stored(registry, url)
    assert match.outcome.termination is Termination.RULES
    assert not match.outcome.expelled
    assert match.record.ruleset == "old_republic(hands=1,mode=chips)"
    done = await ann.post(f"{ann.here}/again")
    assert done.status == 303
    ann.here = done.headers["location"]
    page = await ann.until_asked()
    assert 'aria-label="your hand"' in page
    assert "human" not in page, "the player is You"
    async for _ in ann.play_out():
        pass
    again = stored(registry, url, 2)
    assert again.record.seed == match.record.seed
    assert again.names == (*match.names[1:], match.names[0])


async def test_an_amount_has_bounds(site):
    ann = await player(site)
    await ann.sit_down("random", game="sabacc", ruleset="old_republic", options="mode=chips")
    while 'type="number"' not in (page := await ann.until_asked()):
        await ann.answer(page, asked(page))
    question, choice = asked(page), re.search(r'value="(\d+)"[^>]*data-least', page)[1]
    most = int(re.search(r'data-most="(\d+)"', page)[1])
    for amount, reason in (
        (most + 1, f", not {most + 1}"),
        (0, "an amount from 1 to"),
        (-1, "expected a whole number"),
        ("", "expected a whole number"),
    ):
        sent = [("question", question), ("choice", choice), ("amount", amount)]
        answer = await ann.post(ann.here, *sent)
        assert (answer.status, reason in answer.text) == (422, True), answer.text
    assert asked(await ann.look()) == question


async def test_who_does_not_answer_in_time_loses(url, registry):
    limits = Limits(think_seconds=0.3)
    async with visiting(Settings(db=url, play=True, limits=limits)) as site:
        ann = await player(site)
        await ann.sit_down("random", game="pazaak", ruleset="standard")
        await ann.until(over)
    assert stored(registry, url).outcome.termination is Termination.TIMEOUT


@pytest.mark.parametrize(
    ("limits", "reason"),
    [
        (Limits(tables_of_player=1), "you sit at 1 tables already"),
        (Limits(tables_of_address=1), "players from 127.0.0.1 sit at 1 tables already"),
        (Limits(tables=1), "players sit at 1 tables already"),
        (Limits(matches=1), "more than 1 matches an hour from 127.0.0.1"),
    ],
    ids=["player", "address", "all", "hour"],
)
async def test_too_many_tables_are_refused_with_the_time_to_wait(url, limits, reason):
    async with visiting(Settings(db=url, play=True, limits=limits)) as site:
        ann = await player(site)
        assert (await ann.sit_down("random", game="pazaak", ruleset="standard")).status == 303
        answer = await ann.sit_down("random", game="pazaak", ruleset="standard")
        assert (answer.status, reason in answer.text) == (429, True), answer.text
        assert int(answer.headers["retry-after"]) >= 60


async def test_answers_have_a_limit_of_their_own(url):
    limits = Limits(answers=2, unsafe=1)
    async with visiting(Settings(db=url, play=True, limits=limits)) as site:
        ann = await player(site)
        sent = [await ann.post("/play/none", ("question", 1)) for _ in range(3)]
        assert [each.status for each in sent] == [404, 404, 429]
        assert [(await ann.post("/play")).status for _ in range(2)] == [422, 429]


async def test_when_the_site_ends_a_match_in_play_does_too(url, registry):
    async with visiting(Settings(db=url, play=True)) as site:
        ann = await player(site)
        await ann.sit_down("random", game="pazaak", ruleset="standard")
        begun = trio.current_time()
    assert trio.current_time() - begun < 2
    assert stored(registry, url).outcome.termination is Termination.LEFT


async def test_nothing_hidden_is_sent_before_the_end(site, registry, url):
    """Every byte of pages and events is compared with the cards and the seed of the deal."""
    ann = await player(site)
    await ann.sit_down("hand-saver", game="pazaak", ruleset="standard", hints=True)
    sent = []
    async with site.stream(f"/live{ann.here}", cookie=ann.cookie) as events:
        async for page in ann.play_out(choice=2):
            sent += [page, (await ann.get(f"{ann.here}?odds=yes")).text]
            sent.append((await ann.get(ann.here, hx_request="true")).text)
            while events.statistics().current_buffer_used:
                sent.append(await events.receive())
    match = stored(registry, url)
    seen = [moment.scene for moment in match.moments("seat0")]
    known = {face.name for scene in seen for zone in scene.zones for face in zone.cards}
    dealt = {
        face.name
        for scene in match.scenes("all")
        for face in scene.zone("hand", 1).cards
        if not face.hidden
    }
    hidden = dealt - known
    assert hidden, "a deal whose cards the player knows all of shows nothing"
    with open_database(url) as database:
        about = summary(database, 1)
    secrets = [str(match.record.seed), f"{match.record.seed:x}", about.key, about.nonce]
    assert len(sent) > 10
    assert any("were the rival without hand cards" in text for text in sent)
    for text in sent:
        over = "Leave the table" not in text  # then all cards are open
        if not over and 'name="loadout"' not in text:  # where all cards are named that there are
            assert not hidden & set(re.split(r'[\s<>",:;()]+', text))
        assert over or not [each for each in secrets if each and each in text]


@pytest.mark.parametrize(
    ("game", "rules", "bots", "end", "further"),
    [
        ("pazaak", "standard", ["counter"], "the set", "starts set"),
        ("sabacc", "old_republic", ["target-total", "random"], "", "deals"),
    ],
)
async def test_the_end_of_a_set_or_hand_is_told_before_what_follows(
    site, game, rules, bots, end, further
):
    ann = await player(site)
    await ann.sit_down(*bots, game=game, ruleset=rules)
    ends = 0
    async for page in ann.play_out():
        newest = re.search(r"<ol[^>]*>\s*<li>(.*?)</li>", page.partition("What happened")[2])
        if 'name="held"' in page:
            ends += 1
            assert end in newest[1]
            assert further not in newest[1]
    assert ends > 1
    assert page.count("<li>") > 10


async def test_no_card_that_stays_hidden_is_ever_sent_at_a_table_of_four(site, registry, url):
    ann = await player(site)
    bots = ["target-total", "cautious-folder", "random"]
    options = "mode=chips,hands=4"
    await ann.sit_down(*bots, game="sabacc", ruleset="old_republic", options=options, hints=True)
    sent = [page async for page in ann.play_out()]
    match = stored(registry, url)

    def names(view):
        moments = match.moments(view)
        scenes = [each for moment in moments for each in (*moment.held, moment.scene)]
        faces = [face for each in scenes for zone in each.zones for face in zone.cards]
        return {face.name for face in faces if " of " in face.name}  # no other text has these

    hidden = names("all") - names("seat0")
    assert hidden, "a deal whose cards the player knows all of shows nothing"
    asking = [text for text in sent if "Leave the table" in text]
    assert len(asking) > 10
    for name in hidden:
        found = re.compile(rf"(?<!\w){name}(?!\w)")
        assert not [text for text in asking if found.search(text)], name


async def test_another_person_neither_sees_nor_acts(site):
    ann, bob = await player(site), await player(site)
    await ann.sit_down("random", game="pazaak", ruleset="standard")
    question = asked(await ann.look())
    for headers in ({"cookie": bob.cookie}, {}, {"cookie": f"{COOKIE}=x"}):
        for address in (ann.here, f"/live{ann.here}", f"{ann.here}?odds=yes"):
            answer = await site.get(address, **headers)
            assert (answer.status, "+1" in answer.text) == (404, False)
    for ending in ("", "/leave", "/again"):
        answer = await bob.post(ann.here + ending, ("question", question), ("loadout", "hard"))
        assert answer.status == 404
        assert "of yours; choices:" in answer.text
    own = await ann.post(ann.here, ("question", question), sec_fetch_site="cross-site")
    assert own.status == 403
    assert asked(await ann.look()) == question
    assert ann.here not in (await bob.get("/play")).text
    assert ann.here in (await ann.get("/play")).text


async def test_without_a_cookie_nobody_sits_down(site, url):
    answer = await site.send(
        "POST", "/play", [b"game=pazaak&ruleset=standard&bot=random"],
        sec_fetch_site="same-origin", content_type="application/x-www-form-urlencoded",
    )  # fmt: skip
    assert (answer.status, "keeps no cookie" in answer.text) == (403, True)
    with open_database(url) as database:
        assert tournaments(database) == ()


@pytest.mark.parametrize(
    ("wish", "reason"),
    [
        ({"game": "chess", "bots": ["random"]}, "unknown game &#39;chess&#39;; choices: pazaak"),
        ({"game": "pazaak-career", "bots": ["search"]}, "played by commands of its own"),
        ({"options": "sets=0", "bots": ["random"]}, "sets"),
        ({"ruleset": "hard", "bots": ["random"]}, "unknown ruleset &#39;hard&#39;"),
        ({"cards": "+1 +2", "bots": ["random"]}, 'role="alert">a side deck has 10 cards, not 2<'),
        ({"bots": []}, "name at least one bot to play against"),
        ({"bots": ["random", "counter"]}, "pazaak plays at tables of 2, not 3"),
        ({"bots": ["randm"]}, "unknown opponent &#39;randm&#39;"),
        ({"bots": ["/etc/passwd"]}, "unknown opponent &#39;/etc/passwd&#39;"),
        ({"bots": ["search(seconds=900)"]}, "unknown opponent"),
        ({"bots": ["random with hard"]}, "unknown opponent"),
    ],
)
async def test_a_match_that_cannot_be_played_is_refused_in_one_line(site, wish, reason):
    ann = await player(site)
    asked_for = {"game": "pazaak", "ruleset": "standard", **wish}
    answer = await ann.sit_down(*asked_for.pop("bots"), **asked_for)
    assert (answer.status, reason in answer.text) == (422, True), answer.text
    assert "Your tables" not in (await ann.get("/play")).text


async def test_a_form_that_is_refused_comes_back_as_it_was_filled_in(site):
    ann = await player(site)
    bots, options = ("random", "target-total", "random"), 'mode=chips,"'
    wish = {"game": "sabacc", "ruleset": "imperial", "hints": True}
    answer = await ann.sit_down(*bots, **wish, options=options)
    assert answer.status == 422
    twice = await ann.sit_down(*bots, **wish)
    assert 'role="alert">random is chosen for several seats: choose each bot once<' in twice.text
    for text in (answer.text, twice.text):
        assert "<option selected>imperial</option>" in text
        assert set(re.findall(r'name="bot" value="([\w-]+)" checked', text)) == {*bots}
        assert 'name="hints" value="yes" checked' in text
    assert 'name="options" value="mode=chips,&#34;"' in answer.text


async def test_answers_are_checked_and_those_sent_twice_dropped(site, registry, url):
    ann = await player(site)
    await ann.sit_down("random", game="pazaak", ruleset="standard")
    question = asked(await ann.look())
    wrong = await ann.post(ann.here, ("question", question), ("loadout", "+9"))
    assert (wrong.status, "+9" in wrong.text) == (422, True)
    by_script = await ann.post(
        ann.here, ("question", question), ("loadout", "+9"), hx_request="true"
    )
    assert (by_script.status, 'role="alert"' in by_script.text) == (200, True)
    assert "<html" not in by_script.text
    await ann.answer(await ann.look(), question)
    later = asked(await ann.until_asked())
    assert int(later) == int(question) + 1
    again = await ann.post(ann.here, ("question", question), ("choice", 2))
    assert again.status == 303
    assert asked(await ann.look()) == later
    for fields, reason in (
        ([("choice", 99)], "there is no action 99: actions are 1 to "),
        ([("choice", 0)], "there is no action 0"),
        ([("choice", "x")], "choice &#39;x&#39;: expected a whole number"),
        ([], "choice &#39;&#39;: expected a whole number"),
    ):
        answer = await ann.post(ann.here, ("question", later), *fields)
        assert (answer.status, reason in answer.text) == (422, True), answer.text
    left = await ann.post(f"{ann.here}/leave")
    assert left.status == 303
    assert asked(await ann.look()) == ""
    await ann.until(over)
    assert stored(registry, url).outcome.termination is Termination.LEFT


def test_actions_of_a_game_that_says_no_more_are_buttons_with_keys():
    choices = tuple(Choice(text, words=text) for text in ("Left", "Low", "Right", "Up"))
    hand = hand_of(Question(number=1, seat=0, seats=2, choices=choices, zone="hand"), None)
    assert [(each.words, each.key) for each in hand.buttons] == [
        *(("Left", "1"), ("Low", "2"), ("Right", "3"), ("Up", "u"))
    ]
    assert (hand.cards, hand.plays, hand.puts) == ((), (), ())


def test_cards_that_look_alike_stand_for_each_other():
    scene = Scene(zones=(Zone("hand", (Face("ace"), Face("ten"), Face("ace")), 0),))
    choices = (Choice("give 1", words="Give", cards=(0,)), Choice("give 1 2", cards=(0, 1)))
    hand = hand_of(Question(number=1, seat=0, seats=2, choices=choices, zone="hand"), scene)
    assert hand.many
    assert [card.usable for card in hand.cards] == [True, True, True]
    assert using(hand, [2]) == using(hand, [0]) == [1]
    assert using(hand, [1, 2]) == [2]
    assert using(hand, [0, 2]) == using(hand, [9]) == []


@pytest.mark.parametrize(
    ("asked_for", "host", "proxy", "found"),
    [
        (None, "127.0.0.1", False, True),
        (None, "127.0.0.1", True, False),
        (None, "0.0.0.0", False, False),
        (True, "0.0.0.0", True, True),
        (False, "127.0.0.1", False, False),
    ],
)
def test_play_is_on_by_itself_only_where_nobody_else_comes(asked_for, host, proxy, found):
    assert plays(asked_for, host, behind_proxy=proxy) is found


async def test_without_play_nothing_is_there(cups):
    async with visiting(Settings(db=cups)) as site:
        assert (await site.get("/play")).status == 404
        assert 'href="/play' not in (await site.get("/")).text
