"""Scenes: look-up by label and seat, JSON, and the default text board."""

from __future__ import annotations

import msgspec

from arena.core.scene import BACK, Face, Fact, Scene, Zone, draw_text

SCENE = Scene(
    title="Hand 3",
    turn=1,
    zones=(
        Zone(
            "board",
            (
                Face("7", "clubs"),
                Face("ace", "hearts", counts="11", colour="red", sign="M9 9h9", large="A"),
            ),
            places=3,
        ),
        Zone("hand", (BACK, BACK), seat=0),
        Zone("hand", (Face("9"), Face("2")), seat=1, worth="11"),
        Zone("hand", seat=2),
    ),
    facts=(Fact("pot", 30), Fact("dealer", seat=1), Fact("chips", 90, seat=1)),
    notes=("The deck was shuffled anew.",),
)


def test_zones_of_a_scene_are_found_by_label_and_seat():
    assert SCENE.seats == (0, 1, 2)
    assert (SCENE.value("pot"), SCENE.value("pot", 1), SCENE.value("chips", 1)) == (30, None, 90)
    assert SCENE.value("dealer", 1) is True
    assert SCENE.zone("hand", 1).worth == "11"
    assert SCENE.zone("hand", 5) == Zone("hand", seat=5)


def test_a_scene_of_any_game_is_drawn_as_text():
    assert draw_text(SCENE).splitlines() == [
        "Hand 3",
        "  pot 30",
        "    board: [7] [ace:11] [ ]",
        "    seat 0",
        "    hand: [?] [?]",
        "  > seat 1  dealer, chips 90",
        "    hand: [9] [2] = 11",
        "    seat 2",
        "    hand: empty",
        "The deck was shuffled anew.",
    ]


def test_long_lines_are_wrapped_within_80_columns():
    scene = Scene(
        zones=(Zone("hand", tuple(Face(f"card {n}") for n in range(30)), seat=0),),
        facts=tuple(Fact(f"some fact number {n}", n) for n in range(12)),
    )
    lines = draw_text(scene).splitlines()
    assert max(map(len, lines)) <= 80
    assert len(lines) > 8
    assert sum(line.count("[card ") for line in lines) == 30  # no card is broken in two


def test_a_scene_survives_json():
    assert msgspec.json.decode(msgspec.json.encode(SCENE), type=Scene) == SCENE
