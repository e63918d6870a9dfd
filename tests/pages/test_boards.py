"""Boards: every part of a scene is on it, drawn by its kind, and nothing that is hidden."""

from __future__ import annotations

import re
from typing import get_args

import pytest
from markupsafe import Markup

from arena.core.chance.seeding import generator
from arena.core.scene import BACK, Colour, Face, Fact, Print, Scene, Zone
from arena.games.pazaak.parts.looks import LOOKS as PAZAAK_LOOKS
from arena.games.sabacc.parts.looks import LOOKS as SABACC_LOOKS
from arena.match.replay import replay
from arena.pages.boards import board, draw_board
from arena.pages.cards import GLYPHS, chips
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
        Fact("sets won", 2, 0, "dots", 3),
        Fact("stands", seat=1, role="lit"),
        Fact("pot", 12, role="large"),
        Fact("chips", 40, 0, "chips"),
        Fact("put", 2, 0, "stake"),
        Fact("lucky", seat=1),
    ),
)
TAKEN_OUT = (Fact("folded", seat=0, role="folded"), Fact("taken out", seat=1, role="out"))


def test_every_part_of_a_scene_is_at_its_place():
    drawn = board(SCENE, ("ann", "bob"), say="ann draws 7", win=(0.791, 0.209))
    ann, bob = drawn.seats
    assert (drawn.title, drawn.layout, drawn.win) == ("Set 2", "sides", (79, 21))
    assert (drawn.large.label, drawn.large.value, drawn.large.chips) == ("pot", "12", 3)
    assert drawn.line == "Set 2"  # the title has the set
    assert [row.label for row in drawn.shared] == ["stock"]
    assert [(each.state, each.word) for each in drawn.seats] == [
        ("turn", "to move"),
        ("stand", "stands"),
    ]
    assert [each.dots for each in ann.dots] == [(2, 3)]
    assert (ann.money.value, ann.money.chips, ann.stake.value) == ("40", 4, "2")
    assert bob.facts == ("lucky",)
    table, hand = ann.rows
    assert table.text == "table: 7, ±3 (−3)"
    assert (table.columns, table.free) == (3, 7)
    assert hand.text == "hand: +4, 1 face down"
    assert bob.rows[0].text == "hand: 8 face down; unknown"
    text = draw_board(drawn)
    for part in ("ann draws 7", "sets won 2 of 3", "lucky", 'aria-label="stock: 1 face down"'):
        assert part in text


@pytest.mark.parametrize(("amount", "stack"), [(1, 1), (3, 2), (39, 3), (99, 4), (100, 5)])
def test_a_larger_amount_has_a_higher_stack(amount, stack):
    assert chips(amount) == stack


def test_a_light_is_no_amount_of_one_though_they_are_equal():
    amount, light = (Scene(facts=(Fact("won", value, 0),)) for value in (1, True))
    assert amount == light
    shown = [board(scene, ("ann", "bob")).seats[0].facts for scene in (amount, light)]
    assert shown == [("won 1",), ("won",)]


@pytest.mark.parametrize("seats", [1, 2, 3, 4, 5, 6, 7])
def test_seats_without_squares_sit_around_a_middle(seats):
    zones = tuple(Zone("hand", (BACK,), seat) for seat in range(seats))
    drawn = board(Scene(zones=zones), "abcdefg"[:seats])
    assert drawn.layout == ("ring many" if seats == 7 else f"ring n{seats}")
    assert draw_board(drawn).count('<div class="seat at') == seats


def drawing(face: Face) -> str:
    """The drawing of one card, its name left out."""
    text = draw_board(board(Scene(zones=(Zone("hand", (face,), 0),)), ("ann",)))
    return text.partition("<defs>")[2].partition("</defs>")[0]


@pytest.mark.parametrize(
    ("face", "glyphs", "texts"),
    [
        (Face("7", "deck"), "7", []),
        (Face("±3", "plus-minus", "-3", colour="violet", large="-3"), "-3", ["±3"]),
        (Face("5 of Coins", large="5", small="Coins wild"), "5", ["Coins wild"]),
        (Face("5 of Coins", large="5", small="Coins", index=True), "5", []),
        (Face("Q"), "", ["Q"]),
        (Face("Q", "queens", "12", colour="red"), "", ["Q", "12"]),
        (Face("Tower", "arcana", sign="M9 9h9"), "", ["Tower"]),
        (Face("2&4", prints=(Print("2", 20, 33, 28), Print("4", 44, 59, 28))), "24", []),
    ],
)
def test_digits_and_signs_are_strokes_and_other_letters_are_text(face, glyphs, texts):
    text = drawing(face)
    assert [text.count(f'd="{GLYPHS[glyph]}"') for glyph in glyphs] == [1] * len(glyphs)
    assert text.count('class="glyph"') == len(glyphs)
    assert re.findall(r"<text [^>]*>([^<]*)<", text) == texts


def test_a_card_has_the_colours_and_the_paths_that_its_game_gives():
    face = Face(
        "Sun", colour="red", panel=True, second="blue", corner="gold", dashed=True,
        sign="M1 1h9", hairs="M2 2h9", marks="M3 3h9", fills="M4 4h9",
    )  # fmt: skip
    text = drawing(face)
    for part in ("t-red", "t-blue", "t-gold seamed", "wild", "hair", "mark", "fill"):
        assert f'class="{part}"' in text
    for number, name in enumerate(("sign", "hairs", "marks", "fills"), 1):
        assert f'd="M{number} {number}h9"' in text, name
    style = asset("board.css")
    for colour in get_args(Colour)[1:]:
        assert f".t-{colour} {{ fill: var(--" in style
        assert f".ink-{colour} {{ color: var(--" in style


def test_cards_face_down_look_as_their_game_says():
    zones = (Zone("hand", (BACK, BACK), 0),)
    plain = draw_board(board(Scene(zones=zones), ("ann",)))
    assert 'class="t-back"' in plain
    own = Scene(zones=zones, back=Face(hidden=True, colour="violet", hairs="M5 5h9"))
    text = draw_board(board(own, ("ann",)))
    assert 'class="t-violet"' in text
    assert '<path class="weave" d="M5 5h9"/>' in text
    assert text.count('<svg class="card"') == 2


@pytest.mark.parametrize(
    ("game", "ruleset", "looks"), [(PAZAAK, "", PAZAAK_LOOKS), (SABACC, CHIPS, SABACC_LOOKS)]
)
def test_every_card_of_our_own_games_has_a_look(game, ruleset, looks):
    scenes = [each for seed in range(3) for each in played(game, ruleset, seed).scenes()]
    faces = {face for scene in scenes for zone in scene.zones for face in zone.cards} - {BACK}
    assert len({face.kind for face in faces}) > 3
    assert all(face.colour and (face.panel or face.index) for face in faces)
    assert {look.colour for look in looks.values()} <= {*get_args(Colour)}
    assert all("<text" not in drawing(face) for face in faces)  # the same on every machine


def test_names_and_labels_are_escaped():
    zone = Zone(HOSTILE, (Face(HOSTILE, HOSTILE, marks='"><u>'),), 0, 0, HOSTILE)
    scene = Scene(title=HOSTILE, zones=(zone,), facts=(Fact(HOSTILE, seat=0),), notes=(HOSTILE,))
    text = draw_board(board(scene, (HOSTILE,), {0: HOSTILE}, say=HOSTILE, at=HOSTILE))
    assert "<script" not in text
    assert "<u>" not in text
    assert text.count("&lt;/script&gt;") >= 6


def test_a_seat_that_was_taken_out_is_struck_with_the_cause():
    match = played(SABACC, CHIPS, 3, ("ann", "bob", "cid"), [Crash])
    moments = match.moments("public")
    out = match.outcome.expelled[0].move
    drawn = [board(each.scene, match.names, {0: "taken out: crash"}) for each in moments[out:]]
    assert all(each.seats[0].state == "out" for each in drawn)
    text = draw_board(drawn[0])
    assert text.count("taken out") == 1
    assert '<span class="value cause">taken out: crash</span>' in text


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
    folded = Scene(title="Hand 1", facts=TAKEN_OUT)
    text = draw_board(board(folded, ("ann", "bob", "cid"), {1: "taken out: crash"}))
    seats = re.findall(r'<div class="seat at\d([^"]*)"', text)
    assert seats == [" folded", " out", ""]
    assert '<span class="word">folded</span>' in text
    style = asset("board.css")
    assert re.findall(r"([^}]*)\{[^}]*line-through", style) == ["\n.seat.out .who "]


def test_a_person_at_the_table_has_a_rail_in_place_of_their_hand():
    for scene, seats in ((SCENE, 2), (Scene(zones=(Zone("hand", (BACK,), 1),)), 1)):
        drawn = board(scene, ("ann", "bob"))
        text = draw_board(drawn, rail=Markup("<u>rail</u>"))
        assert text.count("<u>rail</u>") == 1
        assert text.count('<div class="seat at') == seats
        assert 'aria-label="hand: +4, 1 face down"' not in text
