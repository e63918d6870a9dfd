"""Held scenes of our own games: every set and hand has one, and it is what everybody may know."""

from __future__ import annotations

import itertools
from collections import Counter
from random import Random

import pytest
from msgspec.structs import replace

from arena.core.chance.dealer import SeatStreams
from arena.core.chance.seeding import generator
from arena.core.scene import BACK, MATCH, split_events
from arena.games.pazaak.career.game import PazaakCareer
from arena.games.pazaak.game import Pazaak
from arena.games.sabacc.game import Sabacc
from tests.sizes import volume

PAZAAK, SABACC, CAREER = Pazaak(), Sabacc(), PazaakCareer()
GOLD = "2&4 2&4 3&6 3&6 D D ±1T ±1T ±1/2 ±1/2"
CHIPS = "old_republic(mode=chips"
TABLES = [
    *((PAZAAK, rules, 2) for rules in PAZAAK.rulesets),
    (PAZAAK, "standard(hand_scope=set,next_set=random)", 2),
    (PAZAAK, "standard(bust_check=immediate,flip_scope=both,tiebreaker_both=first_played)", 2),
    (PAZAAK, "console(fill=full_table_stands,max_sets=3,fill_overflow=allow_tenth)", 2),
    *((CAREER, rules, 2) for rules in ("standard", "standard(auxiliary=true)")),
    (CAREER, "standard(cheats=true,hand_scope=set)", 2),
    *((SABACC, rules, 2 + number % 5) for number, rules in enumerate(SABACC.rulesets)),
    (SABACC, f"{CHIPS},hands=4)", 5),
    (SABACC, f"{CHIPS},hands=6,stack=12,short_stack=all_in)", 6),
    (SABACC, f"{CHIPS},betting=poker,stack=20,short_stack=all_in,dice=true)", 4),
    (SABACC, f"{CHIPS},betting=alternating,hands=6,all_bomb=split,dice=true,tick_every=2)", 3),
    (SABACC, f"{CHIPS},hands=6,all_bomb=refund,discards=reshuffled,variable=true)", 2),
    (SABACC, "old_republic(mode=points,target=0,hands=4)", 4),
    (SABACC, "imperial(mode=points,target=120,bonus=winner,dice=true)", 6),
]


def play(game, rules, seats, seed):
    """Yields the states at every decision of a random match, and at its end."""
    rng = Random(seed)
    rules = game.ruleset(rules)
    gold = game is not SABACC and rules.card_set == "all" and rng.random() < 0.5
    loadout = game.loadouts.parse(GOLD) if gold else None
    given = game.loadouts.accept(rules, loadout)
    state = game.new_state(rules, [given] * seats, SeatStreams(seed))
    yield state.clone()
    while not state.is_terminal():
        legal = state.legal_actions()
        action = rng.choice(legal)
        if action.text in ("fold", "stand") and rng.random() < 0.7:
            action = legal[0]
        if game.expels and rng.random() < 0.01:
            state.expel(state.current_player())
        else:
            state.apply_action(action)
        yield state.clone()


@pytest.fixture(scope="module")
def matches():
    """Random matches under every ruleset: game, number of seats, states."""
    return [
        (game, seats, list(play(game, rules, seats, seed)))
        for game, rules, seats in TABLES
        for seed in range(volume(12, everyday=1))
    ]


def finished_parts(game, states):
    """Returns how many sets or hands a match had."""
    last = states[-1]
    if game is SABACC:
        return last.hand.match.hand_number
    return last.set_number if game is PAZAAK else last.table.set_number


def test_every_set_and_hand_has_one_held_scene_and_the_match_the_last(matches):
    kinds = Counter()
    for game, seats, states in matches:
        board, everybody = game.board, range(seats)
        held = [board.held(*pair, everybody) for pair in itertools.pairwise(states)]
        scenes = [scene for each in held for scene in each]
        overs = [scene.verdict.over for scene in scenes]
        parts = finished_parts(game, states)
        # Who is caught cheating has lost the match amid a set.
        unfinished = "caught" in scenes[-1].verdict.reason
        word = "hand" if game is SABACC else "set"
        expected = [f"{word} {number}" for number in range(1, parts + 1 - unfinished)]
        assert overs == [*expected, MATCH]
        assert held[-1][-1].verdict.over == MATCH
        assert all(scene.turn is None for scene in scenes)
        gains = states[-1].returns()
        best = tuple(seat for seat in everybody if gains[seat] == max(gains) > min(gains))
        assert scenes[-1].verdict.winners == best
        kinds[game.name] += len(scenes)
    assert min(kinds.values()) > 4


def test_the_winners_of_a_held_scene_are_those_whose_amount_grew(matches):
    for game, seats, states in matches:
        before = states[0].scores()
        for one, two in itertools.pairwise(states):
            for scene in game.board.held(one, two, ()):
                verdict = scene.verdict
                if verdict.over == MATCH:
                    continue
                won = {fact.seat for fact in scene.facts if fact.role == "won"}
                assert set(verdict.winners) <= won
                lost = {fact.seat for fact in scene.facts if fact.role == "lost"}
                assert not won & lost
                if game is SABACC:
                    after = tuple(map(int, verdict.score.split(" : ")))
                    label = {"showdown": "won"}.get(two.hand.match.rules.mode)
                    label = label or two.hand.match.rules.mode
                    shown = [scene.value(label, seat) for seat in range(seats)]
                    assert list(after) == shown
                else:
                    after = tuple(scene.value("sets won", seat) for seat in (0, 1))
                if game is not SABACC or not two.hand.match.chips:
                    grown = [now - then for now, then in zip(after, before, strict=True)]
                    best = [seat for seat in range(seats) if grown[seat] == max(grown) > 0]
                    assert list(verdict.winners) == best
                before = after


def test_a_held_scene_shows_the_cards_alone_that_were_laid_down(matches):
    laid = folded = 0
    for game, seats, states in matches:
        for one, two in itertools.pairwise(states):
            everything = game.board.held(one, two, range(seats))
            for public, full in zip(game.board.held(one, two, ()), everything, strict=True):
                known = full.verdict
                if game is CAREER:  # the number would tell how often the person cheated
                    known = replace(known, events=None)
                assert public.verdict == known
                if game is not SABACC or public.verdict.over == MATCH:
                    for seat in range(seats):
                        hand = public.zone("hand", seat).cards
                        if game is not SABACC:
                            assert set(hand) <= {BACK}
                    continue
                new = SABACC.notation.events(two.hand.match.history[len(one.hand.match.history) :])
                for seat in range(seats):
                    hand = public.zone("hand", seat).cards
                    if any(line.startswith(f"seat {seat}: lays down") for line in new):
                        laid += 1
                        assert hand == full.zone("hand", seat).cards
                        assert BACK not in hand
                    else:
                        folded += bool(hand)
                        assert set(hand) <= {BACK}
                        assert len(hand) == len(full.zone("hand", seat).cards)
    assert laid > 50
    assert folded > 5


def later(scene, events):
    """The scene with as many more events before it."""
    verdict = scene.verdict
    if verdict.events is None:
        return scene
    return replace(scene, verdict=replace(verdict, events=verdict.events + events))


def test_the_events_before_an_end_are_those_of_its_set_or_hand(matches):
    begins = {game.name: Counter() for game in (PAZAAK, SABACC, CAREER)}
    for game, _, states in matches:
        for one, two in itertools.pairwise(states):
            past = len(one.observation(0).history)
            events = game.notation.events(two.observation(0).history[past:])
            held = game.board.held(one, two, (0,))
            told = split_events(events, held)
            assert [*itertools.chain(*told)] == [*events]
            for scene, some, after in zip(held, told, told[1:], strict=False):
                if scene.verdict.over == MATCH:
                    continue
                begins[game.name] += Counter(line.split()[2] for line in after[:1])
                if game is not SABACC:
                    assert "the set" in some[-1]
    assert {*begins["pazaak"], *begins["pazaak-career"]} == {"starts"}
    assert {*begins["sabacc"]} == {"deals"}


@pytest.mark.parametrize("seat", [0, 1])
def test_a_seat_that_plays_sees_what_its_replay_shows(seat, matches):
    """Between its own decisions others decide, and it knows what it observes alone."""
    seen = 0
    for game, _seats, states in matches:
        if game is CAREER and seat:  # it is no person's seat: what the person does is hidden
            continue
        own = [number for number, state in enumerate(states) if state.current_player() == seat]
        for start, end in itertools.pairwise(own):
            histories = [states[number].observation(seat).history for number in range(start, end)]
            truth = [
                later(scene, len(game.notation.events(history[len(histories[0]) :])))
                for number, history in enumerate(histories, start)
                for scene in game.board.held(states[number], states[number + 1], (seat,))
            ]
            before, after = (
                game.resample(states[number].observation(seat), generator(number))
                for number in (start, end)
            )
            assert game.board.held(before, after, (seat,)) == tuple(truth)
            seen += len(truth)
    assert seen > 30


def test_a_match_by_rolls_of_skill_has_its_end_alone():
    (state,) = play(CAREER, "standard(skill_roll=true)", 2, 1)
    assert state.is_terminal()
    verdict = CAREER.board.over(state, state.outcome(), ()).verdict
    winner = state.returns().index(1.0)
    assert verdict.winners == (winner,)
    assert f"seat {winner} succeeds in the roll of skill" in verdict.reason
