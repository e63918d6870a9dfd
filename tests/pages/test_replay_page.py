"""The page of a match: all of its view, and nothing beside it."""

from __future__ import annotations

import re

import pytest

from arena.core.errors import BadInput, UnknownName
from arena.core.parts.value import LESS_LUCK, LUCK_ADJUSTED
from arena.core.scene import Scene, Verdict
from arena.pages.boards import board
from arena.pages.page import Page
from arena.pages.probabilities import timeline
from arena.pages.replay import replay_page, single_replay_page, small_player
from arena.pages.steps import ending
from arena.pages.templates import environment
from tests.pages.one_match import CHIPS, HOSTILE, PAZAAK, SABACC, Crash, Late, played
from tests.table_game import Table

SEED = 7_770_131_517


class AtOnce(Crash):
    asked = 2


def test_a_page_has_every_moment_with_its_events_and_links():
    match = played()
    page = single_replay_page(match)
    moments = match.moments()
    assert re.findall(r'class="moment[^"]*" id="m(\d+)"', page) == [str(m.move) for m in moments]
    held = sum(len(moment.held) for moment in moments) - 1  # the last one is the end itself
    assert held > 2
    assert len(re.findall(r'id="m\d+h\d+" data-move="\d+" data-held', page)) == held
    assert page.count('class="seat ') == 2 * (len(moments) + held)
    assert [f'href="#m{moment.move}"' in page for moment in moments] == [True] * len(moments)
    assert str(match.record.seed) in page


@pytest.mark.parametrize(
    ("game", "ruleset", "view"),
    [(SABACC, CHIPS, "public"), (Table(), "", "seat0")],
    ids=["sabacc", "table"],
)
def test_a_page_is_the_same_to_the_byte_whatever_is_hidden_from_its_view(game, ruleset, view):
    """Cards that are never shown: the match ends by a fault at its first decision."""
    pages, everything = {}, set()
    for seed in range(SEED, SEED + 40):
        match = played(game, ruleset, seed, bots=[AtOnce])
        page = single_replay_page(match, view)
        assert str(seed) not in page
        seen = match.moments(view)[0]
        assert pages.setdefault((seen.table, seen.events), page) == page
        everything.add(single_replay_page(match, "all").replace(str(seed), ""))
    assert len(pages) < len(everything)


def test_a_view_has_no_seed_no_hidden_card_and_no_text_of_an_offender():
    match = played(seed=SEED, bots=[Crash])
    everything, public = single_replay_page(match, "all"), single_replay_page(match, "public")
    assert "I hold" in everything
    assert str(SEED) in everything
    assert "I hold" not in public
    assert str(SEED) not in public
    cards = re.compile(r'<g id="(c\w+)"')
    hidden = {*cards.findall(everything)} - {*cards.findall(public)}
    assert hidden
    assert not any(card in public for card in hidden)


def test_names_of_bots_are_escaped():
    page = single_replay_page(played(names=(HOSTILE, 'bob"><img src=x onerror=alert(1)>')))
    assert "alert(1)</script>" not in page
    assert "<img" not in page
    assert page.count("<script") == 1


def test_a_fault_is_drawn_at_the_end_and_an_expulsion_from_its_move_on():
    lost = single_replay_page(played(bots=[Crash]))
    assert lost.count('class="value cause">out: crash') == 1
    assert "cause: crash" in lost
    match = played(SABACC, CHIPS, 3, ("ann", "bob", "cid"), [Crash])
    later = match.moments()[match.outcome.expelled[0].move :]
    steps = sum(1 + len(moment.held) for moment in later) - 1
    assert single_replay_page(match).count('class="value cause">taken out: crash') == steps > 1


def test_a_reason_that_a_view_leaves_out_is_found_where_the_page_is():
    match, frame = played(bots=[Crash]), Page(title="")
    assert "see it with --view all" in single_replay_page(match, "public")
    for views, where in (
        (("public", "all"), "see it in the view of all cards"),
        (("public",), "it is shown once the tournament is finished"),
    ):
        page = replay_page(match, "public", frame=frame, views=dict.fromkeys(views, "?"))
        assert f"(what it did may show its hidden cards; {where})" in page
        assert "--view" not in page


def test_a_match_that_ended_before_the_deal_has_its_end_alone():
    page = single_replay_page(played(bots=[Late]))
    assert "LookupError" in page
    assert 'class="moment' not in page
    assert "<input" not in page


def test_win_probabilities_are_drawn_where_they_are_known():
    pazaak, sabacc = single_replay_page(played(seed=4)), single_replay_page(played(SABACC, CHIPS))
    assert "<polyline" in pazaak
    assert f'title="{LESS_LUCK}"' in pazaak
    assert "gives away" in pazaak
    assert re.search(r"gives away 0\.\d{3} by what it knew \(pazaak-own-hand 1\); better", pazaak)
    assert "win probability by pazaak-no-hands 1" in pazaak
    assert 'class="badge bad">mistake' in pazaak
    for mark in ("tl-luck", "tl-miss", "tl-area", "winbar"):
        assert f'class="{mark}"' in pazaak
    assert "Luck of the cards" in pazaak
    assert "<polyline" not in sabacc
    assert LUCK_ADJUSTED not in sabacc


def test_the_chances_at_the_end_are_the_result_after_a_fault():
    page = single_replay_page(played(bots=[Crash]))
    assert re.findall(r'data-win="([^"]+)"', page)[-1] == "0 100"
    assert "ann 0 %, bob 100 %" in page.rpartition('class="moment')[2]


def test_a_table_that_begins_with_a_seat_has_no_parts():
    page = single_replay_page(played(Table(), names=tuple("abcd")))
    assert "seat 0 holds" in page
    assert "data-part" not in page.partition("<script>")[0]


def test_a_page_asks_nothing_of_anybody():
    page = single_replay_page(played())
    assert not re.search(r"(src|href)=\"(?!#|data:)", page)
    assert "default-src &#39;none&#39;; style-src &#39;sha256-" in page
    assert not re.search(r"<[^>]*\s(style|on\w+)=", page)


def test_a_page_in_a_frame_has_its_title_links_to_views_and_the_move():
    frame = Page(title="", site="Cup", home="index.html")
    views = {"all": "?view=all", "seat0": "?view=seat0"}
    step = "?view=seat0&move="
    page = replay_page(played(), "seat0", frame=frame, move=2, views=views, step=step)
    assert "<title>ann – bob, match 1.1.1.1 · Cup</title>" in page
    title = 'data-key="0" title="as ann sees it (key 0)"'
    assert f'<a href="?view=seat0" {title} aria-current="page">ann</a>' in page
    assert 'data-step="?view=seat0&amp;move=" data-start="2"' in page
    assert '<a rel="next" href="?view=seat0&amp;move=3">' in page
    assert 'href="#m' not in page
    assert page.count('class="moment start" id="m2"') == page.count("moment start") == 1


def test_unknown_views_and_moves_are_refused():
    match = played()
    last = len(match.moments()) - 1
    with pytest.raises(UnknownName, match="'seat2'; choices: all, public, seat0, seat1"):
        single_replay_page(match, "seat2")
    with pytest.raises(BadInput, match=f"no move {last + 1}: the match has moves 0 to {last}"):
        single_replay_page(match, move=last + 1)


def test_a_page_is_the_same_whenever_it_is_drawn():
    assert single_replay_page(played()) == single_replay_page(played())
    assert PAZAAK.name in single_replay_page(played())


def test_nothing_around_the_board_gives_the_result_away():
    """A reader sees no result before the first move, nor in a link to the page."""
    match = played(seed=4)
    won = match.moments()[-1].held[-1].verdict
    page = single_replay_page(match)
    assert won.headline == "seat 1 wins the match"
    head = page.partition("<style>")[0] + page.partition("<article")[2].partition("<details")[0]
    assert "ann against bob, 21 moves" in head
    assert not re.search(r"\bw[io]ns?\b|\blost\b|\d : \d", head)
    moves = page.partition('id="all-moves"')[2].partition('<div class="foot">')[0]
    shown = re.findall(r'<li class="later" data-move="(\d+)"', moves)
    assert shown == [str(number) for number in range(1, 22)]
    marks = re.findall(r'class="tl-at( later)?" data-move="(\d+)"', page)
    assert len(marks) > 3
    assert all(bool(later) == (move != "0") for later, move in marks)
    assert '<rect class="clip" width="0.0"' in page


def test_a_small_player_has_the_last_sets_and_leads_to_the_match():
    match = played(SABACC, CHIPS, 3, ("ann", "bob", "cid", "dot"))
    drawn = small_player(match, "public", size="mini", address="/m/1.1.1.1")
    assert drawn.startswith('<div class="mini small-player" data-player="small">')
    assert '<a class="push" href="/m/1.1.1.1">Watch</a>' in drawn
    assert drawn.count("moment start") == 1
    assert ' id="m' not in drawn
    moves = re.findall(r'<li class="moment[^"]*" data-move="(\d+)"', drawn)
    assert len({*moves}) <= 30
    assert moves[-1] == str(len(match.moments()) - 1)
    assert "wins the match" in drawn


def test_a_drawn_set_says_so_and_has_no_crown():
    drawn = ending(Verdict("set 5", (), "both have 20", "20 : 20"), ["ann", "bob"])
    won = ending(Verdict("set 5", (1,), "seat 1 plays -3", "20 : 19"), ["ann", "bob"])
    assert (drawn.head, won.head) == ("Set 5 is drawn", "bob wins set 5")
    assert won.reason == "bob plays −3"
    for each, crowns in ((drawn, False), (won, True)):
        shown = board(Scene(title="Set 5"), ["ann", "bob"], ending=each)
        strip = environment().get_template("board.svg.jinja").module.voice(shown)
        assert each.head in strip
        assert ("i-win" in strip) == crowns


def test_names_of_sets_that_a_phone_has_no_room_for_are_marked():
    line = timeline(None, [], [(0, "Set 1"), (50, "Set 2"), (60, "Set 3")], ["ann", "bob"], 100)
    assert [(mark.text, mark.tight) for mark in line.marks] == [
        ("set 1", False),
        ("set 2", True),
        ("set 3", False),
    ]
