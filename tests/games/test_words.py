"""Rules and positions in words: complete, true to the seat, in the words of the actions, short."""

from __future__ import annotations

from itertools import islice
from random import Random
from typing import Literal, get_args, get_origin, get_type_hints

import pytest

from arena.core.chance.dealer import Sampled
from arena.core.choices import choices_of
from arena.core.errors import ParseError
from arena.core.parts.words import seat_name
from arena.games.pazaak.game import Pazaak
from arena.games.sabacc.cards.cards import CHARACTERS
from arena.games.sabacc.game import Sabacc
from arena.testing.probes import Broken
from arena.testing.words import SaidWords

PAZAAK, SABACC = Pazaak(), Sabacc()
GAMES = {game.name: game for game in (PAZAAK, SABACC)}
FLAVOURS = {
    "pazaak": (
        "standard", "console", "standard(flip=negate_deck_persistent)",
        "standard(fill_overflow=allow_tenth)",
    ),
    "sabacc": (
        "old_republic", "corellian", "variable", "card_exchange(mode=chips)",
        "old_republic(mode=chips,betting=poker)", "old_republic(mode=points)",
        "old_republic(mode=chips,betting=alternating)", "old_republic(mode=points,target=0)",
    ),
}  # fmt: skip
"""Rulesets under which the options mean something."""


def decisions(game, spelling, seats, seed):
    """Yields each observation of a match at random, with the state."""
    rules, rng = game.ruleset(spelling), Random(seed)
    loadout = game.loadouts.accept(rules, None)
    state = game.new_state(rules, [loadout] * seats, Sampled(Random(seed)))
    while state.current_player() >= 0:
        seen = state.observation(state.current_player())
        allowed = [each for each in seen.legal_actions if each.text != "fold"]
        action = rng.choice(allowed or list(seen.legal_actions))
        yield state, seen, action
        state.apply_action(action)
    yield state, state.observation(0), None


def choice_options():
    for game in GAMES.values():
        for name, kind in get_type_hints(type(game.ruleset()), include_extras=True).items():
            values = {bool: ("true", "false"), Literal: get_args(kind)}.get(
                kind if kind is bool else get_origin(kind), ()
            )
            for value in values:
                if name not in ("variant", "name"):
                    yield pytest.param(game, name, value, id=f"{game.name}-{name}-{value}")


@pytest.mark.parametrize(("game", "option", "value"), [*choice_options()])
def test_every_value_of_an_option_changes_the_rules(game, option, value):
    differ = 0
    for spelling in FLAVOURS[game.name]:
        row, _, given = spelling.removesuffix(")").partition("(")
        kept = [each for each in given.split(",") if each and not each.startswith(f"{option}=")]
        plain = game.words.rules(game.ruleset(spelling)).partition("\n")[2]
        try:
            changed = game.ruleset(f"{row}({','.join([*kept, f'{option}={value}'])})")
        except ParseError:  # the option needs another one
            continue
        same = getattr(changed, option) == getattr(game.ruleset(spelling), option)
        said = game.words.rules(changed).partition("\n")[2]
        assert (said == plain) or not same
        differ += said != plain or same
    assert differ


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_the_rules_of_each_row_are_short_and_whole(game):
    for row in game.rulesets.values():
        text = game.words.rules(row)
        assert 600 <= len(text) <= 3000
        assert not {"{", "}", "  "} & {*text}
        assert all(line.isprintable() and line for line in text.split("\n"))


@pytest.mark.parametrize(("game", "most"), [(PAZAAK, 1060), (SABACC, 960)], ids=GAMES)
def test_the_rules_of_the_default_are_few_words(game, most):
    """They are in every question to a language model."""
    assert len(game.words.rules(game.ruleset())) <= most


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_the_rules_name_every_action(game):
    for spelling in FLAVOURS[game.name]:
        rules = game.words.rules(game.ruleset(spelling))
        words = {
            action.text.split()[0]
            for _, seen, _ in islice(decisions(game, spelling, 2, seed=2), 60)
            for action in seen.legal_actions
        }
        assert len(words) > 2
        assert not {word for word in words if word not in rules}


def test_s13_the_numbers_of_a_ruleset_are_in_its_rules():
    text = PAZAAK.words.rules(PAZAAK.ruleset("standard(side_deck_size=12,max_sets=9)"))
    assert "12 cards" in text
    assert "After 9 sets" in text
    text = SABACC.words.rules(SABACC.ruleset("imperial(mode=chips,stack=70,ante=2,cap=9,hands=5)"))
    assert all(each in text for each in ("with 70", "2 to enter", "above 9", "5 hands"))
    values = SABACC.ruleset("imperial").row.values
    assert ", ".join(f"{n} {v}" for n, v in zip(CHARACTERS, values, strict=True)) in text


@pytest.mark.parametrize(
    ("game", "spelling", "seats"),
    [
        (PAZAAK, "standard", 2),
        (PAZAAK, "console(hand_scope=set,main_deck=forty_each,first_set=random)", 2),
        (SABACC, "card_exchange(mode=chips,betting=poker,short_stack=all_in)", 3),
        (SABACC, "variable(mode=points,target=60)", 2),
        (SABACC, "mos_eisley(mode=chips,betting=alternating)", 4),
    ],
)
def test_words_only_grow_and_say_what_the_seat_knows(game, spelling, seats):
    said, rng = SaidWords(game, seats), Random(1)
    last = {}
    for _, seen, action in decisions(game, spelling, seats, seed=4):
        words = game.words
        said.look(seen, game.resample(seen, rng).observation(seen.seat))
        before = last.get(seen.seat)
        if before and words.past(seen) == before[1]:
            new = words.events(seen)[len(before[2]) :]
            own = [line for line in new if line.startswith("you: ")]
            assert any(line.startswith(f"you: {before[0]}") for line in own), (before, new)
        if action is not None:
            last[seen.seat] = action.text, words.past(seen), words.events(seen)
    assert game.words.past(seen)
    assert game.words.events(seen) == ()


def test_past_lines_say_who_won_as_the_seat_calls_it():
    *_, (state, seen, _) = decisions(PAZAAK, "standard", 2, seed=1)
    mine, theirs = (PAZAAK.words.past(state.observation(seat)) for seat in (0, 1))
    swapped = [line.replace("you", "*").replace("rival", "you") for line in theirs]
    assert [line.replace("*", "rival") for line in swapped] == [*mine]
    wins = [line for line in mine if ": you won;" in line]
    assert len(wins) == seen.sets
    assert len(mine) == seen.set_number


def test_hidden_cards_are_in_the_words_of_their_owner_only():
    for state, seen, _ in decisions(SABACC, "old_republic", 2, seed=3):
        own = dict(SABACC.words.position(seen))
        assert all(card.name in own["your hand"] for card in seen.hand)
        other = state.observation(1 - seen.seat)
        lines = " ".join(f"{name} {value}" for name, value in SABACC.words.position(other))
        hidden = {card.name for card in seen.hand} - {card.name for card in other.hand}
        assert not any(name in lines for name in hidden)
        break


@pytest.mark.parametrize(
    ("game", "seats", "with_rules", "most"), [(PAZAAK, 2, True, 12_000), (SABACC, 3, False, 20_000)]
)
def test_a_match_at_random_stays_within_its_tokens(game, seats, with_rules, most):
    """Four characters are about one token; a decision is asked with a fresh position."""
    characters, matches = 0, 12 if game is PAZAAK else 3
    for seed in range(matches):
        for _, seen, action in decisions(game, "", seats, seed):
            words = game.words
            position = [f"{name}: {value}" for name, value in words.position(seen)]
            choices = [choice.spelled for choice in choices_of(game, seen)]
            lines = [*words.past(seen), *words.events(seen), *position, *choices]
            characters += len("\n".join(lines)) * (action is not None)
            characters += len(words.rules(game.ruleset())) * (action is not None) * with_rules
    assert characters / 4 / matches < most


def test_words_that_shrink_break_the_promise():
    seen = [seen for _, seen, _ in decisions(PAZAAK, "standard", 2, seed=1) if seen.seat == 0]
    said = SaidWords(PAZAAK, 2)
    said.look(seen[-1], seen[-1])
    with pytest.raises(Broken, match="do not only grow"):
        said.look(seen[0], seen[0])
    with pytest.raises(Broken, match="differ in"):
        said.look(seen[-1], seen[0])


def test_seats_are_called_from_where_the_reader_sits():
    assert [seat_name(seat, 1, 3) for seat in range(3)] == ["seat 1", "you", "seat 3"]
    assert [seat_name(seat, 1, 2) for seat in range(2)] == ["rival", "you"]
