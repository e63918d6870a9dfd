"""``check_game`` compares scenes of re-dealt worlds: one that shows a hidden card is found."""

from __future__ import annotations

import os
import re

import pytest
from msgspec.structs import replace

from arena.core.chance.dealer import SeatStreams
from arena.core.parts import Board
from arena.core.scene import BACK, Face, Fact, Scene, Verdict, Zone
from arena.testing.check_game import check_game
from tests.sizes import volume
from tests.testing.toy_game import PASS, RAISE, RULES, broken

PROMISE = "scenes that show nothing hidden"


def scene(self, state, open_seats, shown=lambda seat, open_seats: seat in open_seats):
    """The toy as an honest game shows it."""
    zones = [
        Zone("card", (Face(str(state.own(seat))) if shown(seat, open_seats) else BACK,), seat)
        for seat in (0, 1)
    ]
    facts = (Fact("raises", len(state.raises)),)
    turn = None if state.is_terminal() else state.turns % 2
    return Scene(title="The toy", turn=turn, zones=tuple(zones), facts=facts)


def forgets_to_turn_cards(self, state, open_seats):
    return scene(self, state, open_seats, lambda seat, open_seats: True)


def shows_a_seat_the_other_card(self, state, open_seats):
    return scene(self, state, open_seats, lambda seat, open_seats: bool(open_seats))


def shows_all_at_the_end(self, state, open_seats):
    return scene(self, state, (0, 1) if state.is_terminal() else open_seats)


def shows_who_leads(self, state, open_seats):
    honest = scene(self, state, open_seats)
    leads = Fact("leads", True, int(state.own(1) > state.own(0)))
    return replace(honest, facts=(*honest.facts, leads))


def marks_the_raiser_of_a_high_card(self, state, open_seats):
    honest = scene(self, state, open_seats)
    bold = any(state.own(turn % 2) == 4 for turn in state.raises)
    return replace(honest, facts=(Fact("bold", bold),))


def colours_the_back_of_a_high_card(self, state, open_seats):
    def card(seat):
        colour = "red" if state.own(seat) > 2 else "blue"
        return Face(hidden=seat not in open_seats, colour=colour)

    honest = scene(self, state, open_seats)
    return replace(honest, zones=tuple(Zone("card", (card(seat),), seat) for seat in (0, 1)))


def two_cards_alike_by_another_order(self, state, open_seats):
    honest = scene(self, state, open_seats)
    order = 1 if state.own(1) > state.own(0) else -1
    return replace(honest, zones=honest.zones[::order])


def unrepeatable(self, state, open_seats):
    return Scene(notes=(os.urandom(4).hex(),))


def says_that_the_first_seat_is_to_act(self, state, open_seats):
    return replace(scene(self, state, open_seats), turn=0)


def says_that_nobody_is_to_act(self, state, open_seats):
    return replace(scene(self, state, open_seats), turn=None)


def has_a_turn_after_the_end(self, state, open_seats):
    return replace(scene(self, state, open_seats), turn=state.turns % 2)


def with_zones(*zones):
    return lambda self, *given: replace(scene(self, *given), zones=zones)


def with_a_card(**looks):
    return with_zones(Zone("deck", (BACK, Face("x", **looks))))


def with_facts(*facts):
    return lambda self, *given: replace(scene(self, *given), facts=facts)


def ends_of_raises(see=lambda state, open_seats: scene(None, state, open_seats), **verdict):
    """The scenes of a game that ends a round with each raise; and the end of the match."""

    def held(self, before, after, open_seats):
        last = Board(self.game).held(before, after, open_seats)
        raises = len(after.raises)
        if len(before.raises) == raises:
            return last
        said = {"over": f"round {raises}", "winners": (0,), **verdict}
        shown = see(after, open_seats)
        return (replace(shown, turn=None, verdict=Verdict(**said)), *last)

    return held


def with_held(**verdict):
    return broken(board_scene=scene, board_held=ends_of_raises(**verdict))


def the_end(**changes):
    """The end of the match with something else in its place."""

    def held(self, before, after, open_seats):
        return tuple([replace(e, **changes) for e in Board(self.game).held(before, after, ())])

    return broken(board_scene=scene, board_held=held)


def leaks_in_text_alone(self, state, open_seats):
    return f"cards {state.own(0)} and {state.own(1)}"


@pytest.mark.parametrize(
    ("game", "named"),
    [
        (
            broken(board_scene=forgets_to_turn_cards),
            r"seat 0 shows a difference: zone 'card' of seat 1, card 1: name is '\d' or '\d'$",
        ),
        (broken(board_scene=shows_a_seat_the_other_card), "in the view of seat . shows a diff"),
        (
            broken(board_scene=lambda s, *given: scene(s, *given, lambda _, seats: not seats)),
            "in the public view shows a difference: zone 'card' of seat ., card 1: name is",
        ),
        (
            broken(board_scene=shows_all_at_the_end),
            "re-dealt, after (pass|raise), the scene .* zone 'card' of seat",
        ),
        (
            broken(board_scene=shows_who_leads),
            "shows a difference: fact 2 is 'leads' of seat . or 'leads' of seat .",
        ),
        (
            broken(board_scene=marks_the_raiser_of_a_high_card),
            "shows a difference: fact 'bold': value is (True or False|False or True)",
        ),
        (
            broken(board_scene=colours_the_back_of_a_high_card),
            "card 1: colour is ('red' or 'blue'|'blue' or 'red')",
        ),
        (
            broken(board_scene=two_cards_alike_by_another_order),
            "shows a difference: zone 1 is 'card' of seat . or 'card' of seat .",
        ),
        (broken(board_scene=unrepeatable), "shows a difference: notes is"),
        (broken(board_scene=says_that_the_first_seat_is_to_act), "turn is 0, but 1 is to act"),
        (broken(board_scene=says_that_nobody_is_to_act), "turn is None, but 0 is to act"),
        (broken(board_scene=has_a_turn_after_the_end), r"turn is \d, but None is to act"),
        (broken(board_scene=lambda *_: "all"), "an onlooker sees is a str, not a Scene"),
        (
            broken(board_scene=with_a_card(colour="pink")),
            "in the view of seat 0, zone 'deck', card 2: colour is 'pink', not one of blue, red, ",
        ),
        (
            broken(board_scene=with_a_card(sign='M0 0"/><script>')),
            "zone 'deck', card 2: sign is .*, not the path of an SVG",
        ),
        (
            broken(board_scene=with_facts(Fact("raises", role="loud"))),
            "in the view of seat 0, fact 'raises': role is 'loud', not one of lit, dealer, ",
        ),
        (
            broken(board_scene=with_facts(Fact("bet", 1, 1), Fact("bet", 2, 1), Fact("bet", 1, 0))),
            "the view of seat 0 has 2 facts 'bet' of seat 1",
        ),
        (broken(board_scene=with_zones(Zone("a"), Zone("a"))), "view of seat 0 has 2 zones 'a'"),
        (broken(board_text=leaks_in_text_alone), "the table in the .* reads differently"),
        (
            with_held(see=lambda state, seats: scene(None, state, (0, 1))),
            "a held scene in the (view of seat .|public view) shows a difference: zone 'card' of",
        ),
        (with_held(over="round"), "two scenes are held of round$"),
        (with_held(over="match"), "say that the match is over, but it goes on|held of match$"),
        (with_held(winners=(1, 0)), r"the winners of round 1 are \(1, 0\): name seats, ascending"),
        (with_held(winners=(2,)), r"the winners of round 1 are \(2,\): name seats"),
        (the_end(turn=1), "in the held scene of match turn is 1"),
        (the_end(verdict=None), "a held scene has no verdict"),
        (
            the_end(verdict=Verdict("match")),
            r"says that \(\) won the match, the returns say \(.,\)",
        ),
        (the_end(facts=(Fact("a"), Fact("a"))), "the held scene of match has 2 facts 'a'"),
        (
            broken(board_scene=scene, board_held=lambda *_: ()),
            "the last scene that is held is not that of the match",
        ),
    ],
    ids=lambda x: None if not isinstance(x, str) else x[:40],
)
def test_a_scene_that_shows_a_hidden_card_is_caught(game, named):
    report = check_game(game, RULES, redeals=volume(3000, everyday=1000))
    assert any(re.search(named, problem) for problem in report.problems), report.problems
    assert max(map(len, report.problems)) < 220


@pytest.mark.parametrize("game", [broken(board_scene=scene), with_held()], ids=["plain", "held"])
def test_an_honest_scene_passes(game):
    report = check_game(game, RULES, redeals=volume(3000, everyday=1000))
    assert report.problems == ()
    assert report.checks[PROMISE] > 2 * report.redeals
    assert report.checks["held scenes"] >= report.matches


def test_a_game_with_a_scene_alone_has_a_board_of_text():
    game = broken(board_scene=scene)
    state = game.new_state(RULES, (b"", b""), SeatStreams(1))
    state.cards = [3, 1]
    state.apply_action(RAISE)
    state.apply_action(PASS)
    assert game.board.text(state, (0,)) == (
        "The toy\n"
        "  raises 1\n"
        "  > seat 0\n"
        "    card: [3]\n"
        "    seat 1\n"
        "    card: [?]"
    )  # fmt: skip
