"""Boards: every part of a scene is on it, drawn by its kind, and nothing that is hidden."""

from __future__ import annotations

import re
from typing import get_args

import pytest

from arena.core.chance.seeding import generator
from arena.core.scene import BACK, Colour, Face, Fact, Scene, Zone
from arena.games.pazaak.parts.scene import LOOKS as PAZAAK_LOOKS
from arena.games.sabacc.parts.scene import LOOKS as SABACC_LOOKS
from arena.match.replay import replay
from arena.pages.boards import GAP, HEIGHT, WIDTH, board, draw_board
from arena.pages.templates import asset
from tests.pages.one_match import CHIPS, HOSTILE, PAZAAK, SABACC, Crash, played
from tests.table_game import Table

SCENE = Scene(
    title="Set 2",
    turn=0,
    zones=(
        Zone("table", (Face("7", "deck"), Face("±3", "plus-minus", "-3")), 0, places=9),
        Zone("hand", (Face("+4", "plus"), BACK), 0),
        Zone("hand", (BACK,) * 8, 1, worth="unknown"),
        Zone("stock", (BACK,)),
    ),
    facts=(
        Fact("set", 2),
        Fact("sets won", 2, 0, "dots"),
        Fact("stands", seat=0, role="lit"),
        Fact("pot", 12, role="large"),
    ),
)


FOLDED = (Fact("folded", seat=0, role="out"), Fact("taken out", seat=1, role="out"))


def test_every_part_of_a_scene_is_at_its_place():
    drawn = board(SCENE, ("ann", "bob"))
    ann, bob = drawn.seats
    assert (drawn.title, drawn.layout) == ("Set 2", "seats2")
    pot = [(each.label, each.style) for each in drawn.middle.amounts]
    assert pot == [("pot", "large")]  # the title has the set
    assert [row.label for row in drawn.middle.rows] == ["stock"]
    assert (ann.turn, bob.turn, ann.out) == (True, False, False)
    assert [(each.label, each.value, each.dots) for each in ann.amounts] == [("sets won", "2", 2)]
    assert [(each.label, each.role) for each in ann.badges] == [("stands", "lit")]
    table, hand = ann.rows
    assert table.text == "table: 7, ±3 (-3)"
    assert hand.text == "hand: +4, 1 face down"
    assert bob.rows[0].text == "hand: 8 face down; unknown"


def test_nine_squares_are_three_rows_and_cards_of_a_long_row_overlap():
    drawn = board(SCENE, ("ann", "bob"))
    table, long = drawn.seats[0].rows[0], drawn.seats[1].rows[0]
    assert (table.width, table.height) == (3 * WIDTH + 2 * GAP, 3 * HEIGHT + 2 * GAP)
    assert [(spot.x, spot.y) for spot in table.spots] == [(0, 0), (WIDTH + GAP, 0)]
    assert table.free.count("M") == 7
    assert {spot.y for spot in long.spots} == {0}
    assert long.width < 6 * WIDTH
    assert long.height == HEIGHT


@pytest.mark.parametrize(
    ("face", "large", "lines"),
    [
        (Face("7", "deck"), "7", ()),
        (Face("±3", "plus-minus", "-3", colour="violet", large="-3"), "-3", ("±3",)),
        (
            Face("5 of Coins", "Coins", "wild", large="5", small="Coins wild"),
            "5",
            ("Coins", "wild"),
        ),
        (Face("Q"), "Q", ()),
        (Face("Q", "queens", "12", colour="red"), "Q", ("12",)),
        (Face("Tower", "arcana", sign="M9 9h9"), "", ("Tower",)),
    ],
)
def test_a_card_has_its_value_in_large_letters_and_the_rest_in_small_ones(face, large, lines):
    (card,) = board(Scene(zones=(Zone("hand", (face,), 0),)), ("ann",)).cards
    assert (card.large, card.lines) == (large, lines)


def test_a_card_has_the_colour_and_the_sign_that_its_game_gives():
    faces = (
        Face("Sun", "arcana", colour="gold", sign="M9 9h9", large="XIX"),
        Face("3", colour="red"),
        Face("4"),
        BACK,
    )
    text = draw_board(board(Scene(zones=(Zone("hand", faces, 0),)), ("ann",)))
    card = dict(re.findall(r'<g id="c\w+" class="([^"]+)">(.*?)</g>', text, re.S))
    assert set(card) == {"card gold long", "card red", "card"}
    assert 'd="M9 9h9"' in card["card gold long"]
    assert ">XIX</text>" in card["card gold long"]
    style = asset("board.css")
    for colour in get_args(Colour)[1:]:
        assert f".card.{colour} {{ --colour: var(--{colour}); }}" in style
    for role in ("lit", "dealer", "warning", "out"):
        assert f".badge.{role} {{" in style


@pytest.mark.parametrize(
    ("game", "ruleset", "looks"), [(PAZAAK, "", PAZAAK_LOOKS), (SABACC, CHIPS, SABACC_LOOKS)]
)
def test_every_card_of_our_own_games_has_a_look(game, ruleset, looks):
    scenes = [each for seed in range(3) for each in played(game, ruleset, seed).scenes()]
    faces = {face for scene in scenes for zone in scene.zones for face in zone.cards} - {BACK}
    assert len({face.kind for face in faces}) > 3
    assert all((face.colour, face.sign) == looks[face.kind] for face in faces)
    assert {look[0] for look in looks.values()} <= {*get_args(Colour)}


def test_names_and_labels_are_escaped():
    zone = Zone(HOSTILE, (Face(HOSTILE, HOSTILE),), 0, 0, HOSTILE)
    scene = Scene(title=HOSTILE, zones=(zone,), facts=(Fact(HOSTILE, seat=0),), notes=(HOSTILE,))
    text = draw_board(board(scene, (HOSTILE,), {0: HOSTILE}))
    assert "<script" not in text
    assert text.count("&lt;/script&gt;") >= 6


def test_a_seat_that_was_taken_out_is_struck_with_the_cause():
    match = played(SABACC, CHIPS, 3, ("ann", "bob", "cid"), [Crash])
    moments = match.moments("public")
    out = match.outcome.expelled[0].move
    drawn = [board(each.scene, match.names, {0: "taken out: crash"}) for each in moments[out:]]
    assert all(each.seats[0].out and not each.seats[0].turn for each in drawn)
    text = draw_board(drawn[0])
    assert text.count("taken out") == 1
    assert 'class="badge fault">taken out: crash' in text


def test_a_game_without_scenes_has_its_text_on_the_board():
    match = played(Table(), names=("ann", "bob", "cid"))
    moment = match.moments("seat1")[0]
    assert moment.scene.notes
    text = draw_board(board(moment.scene, match.names))
    assert '<pre class="notes"' in text
    assert 'aria-label="cid"' in text


@pytest.mark.parametrize(
    ("game", "ruleset", "names"),
    [(PAZAAK, "", "ab"), (SABACC, CHIPS, "abcd")],
    ids=["pazaak", "sabacc"],
)
def test_dealt_anew_the_boards_of_a_view_are_the_same_to_the_byte(game, ruleset, names):
    """The cards that a view may not see are dealt anew; ``all`` sees the difference."""
    match, rng, differing = played(game, ruleset, 5, names), generator(5), 0
    for number, step in enumerate(replay(game, match.record)):
        if number % 3:
            continue
        for seat in (0, len(names) - 1):
            world = game.resample(step.state.observation(seat), rng)
            everybody = tuple(range(len(names)))
            for view in ((), (seat,), everybody):
                here, there = (
                    draw_board(board(game.board.scene(state, view), names))
                    for state in (step.state, world)
                )
                assert here == there or view == everybody
                differing += here != there
    assert differing > 3


def test_cards_that_differ_have_names_of_their_own():
    scenes = played().scenes()
    cards = {card.id: card for scene in scenes for card in board(scene, "ab").cards}
    faces = {face for scene in scenes for zone in scene.zones for face in zone.cards}
    assert len(cards) == len(faces - {BACK})
    assert all(re.fullmatch(r"c[0-9a-f]{7}", name) for name in cards)


def test_a_folded_seat_is_marked_but_not_struck():
    folded = Scene(title="Hand 1", facts=FOLDED)
    text = draw_board(board(folded, ("ann", "bob", "cid"), {1: "taken out: crash"}))
    seats = re.findall(r'<div class="seat at\d([^"]*)"', text)
    assert seats == [" out", " out lost", ""]
    assert '<span class="badge out">folded</span>' in text
    assert text.count("badge fault") == 1  # in the colour of faults
    style = asset("board.css")
    assert re.findall(r"([^}]*)\{[^}]*line-through", style) == ["\n\n.board .seat.lost .name "]
