"""The board in the terminal: cards have the colours that their game gives."""

from __future__ import annotations

from typing import get_args

from rich.text import Text

from arena.core.scene import BACK, Colour, Face, Scene, Zone, draw_text
from arena.tui.board import draw

COLOURS = get_args(Colour)
FACES = tuple(Face(f"c{n}", f"kind {n}", colour=colour) for n, colour in enumerate(COLOURS))
SCENE = Scene(
    title="A game of somebody's own",
    turn=0,
    zones=(Zone("hand", FACES, 0), Zone("laid", FACES, 1, places=9), Zone("row", (*FACES, BACK))),
)


def styles_of(text: Text, part: str) -> set[str]:
    """Returns the styles in which a part of the text is drawn."""
    return {str(span.style) for span in text.spans if part in text.plain[span.start : span.end]}


def test_cards_of_any_game_have_their_colours_in_boxes_squares_and_rows():
    drawn = draw(SCENE, ("ann", "bob"), 0, 120)
    tones = [styles_of(drawn, face.name) for face in FACES]
    assert all(drawn.plain.count(face.name) == 3 for face in FACES)
    assert tones == [
        {"bold"}, {"blue"}, {"red"}, {"green"}, {"yellow"}, {"magenta"}, {"bold"},
    ]  # fmt: skip


def test_the_text_of_a_scene_has_no_colours():
    plain = draw_text(SCENE)
    assert plain.isprintable() or plain.replace("\n", "").isprintable()
    assert "[c1]" in plain
