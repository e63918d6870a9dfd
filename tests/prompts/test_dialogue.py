"""Dialogues with language models: what they are sent, and what never."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from arena.core.bot import MatchContext
from arena.core.chance.dealer import SeatStreams
from arena.core.chance.seeding import generator
from arena.core.errors import BadInput
from arena.core.game import AnyGame
from arena.core.observation import Observation
from arena.host.prompts.dialogue import Dialogue
from arena.host.prompts.template import MAX_MESSAGE_LENGTH
from arena.host.prompts.trial import tried_messages, try_template
from arena.plugins.endpoints.spec import Endpoint
from arena.plugins.registry import Registry

TABLES = [("pazaak", "", 2), ("sabacc", "", 3), ("sabacc", "variable(mode=chips)", 4)]


def endpoint(**changes: Any) -> Endpoint:
    return Endpoint(url="http://127.0.0.1:9/v1/chat/completions", model="m", **changes)


def game(name: str) -> AnyGame:
    return Registry().game(name)


def decisions(name: str, ruleset: str, seats: int, seed: int = 3) -> Iterator[Observation]:
    """Yields each observation of a match of random moves."""
    played, rng = game(name), generator(seed)
    rules = played.ruleset(ruleset)
    loadout = played.loadouts.accept(rules, None)
    state = played.new_state(rules, [loadout] * seats, SeatStreams(seed))
    while not state.is_terminal():
        observation = state.observation(state.current_player())
        yield observation
        state.apply_action(rng.choice(observation.legal_actions))


def dialogue(name: str, ruleset: str, seats: int, seat: int = 0, **changes: Any) -> Dialogue:
    played = game(name)
    context = MatchContext(played, played.ruleset(ruleset).name, seat, seats, 0)
    return Dialogue(endpoint(**changes), context)


@pytest.mark.parametrize(("name", "ruleset", "seats"), TABLES)
def test_each_decision_is_asked_with_its_legal_words(name: str, ruleset: str, seats: int) -> None:
    seen = {seat: dialogue(name, ruleset, seats, seat) for seat in range(seats)}
    for observation in decisions(name, ruleset, seats):
        asked = seen[observation.seat]
        asked.ask(observation)
        system, question = asked.messages()
        assert (system.role, question.role) == ("system", "user")
        assert asked.words == tuple(action.text for action in observation.legal_actions)
        for word in asked.words:
            read = asked.read(f"MOVE: {word}", observation)
            assert (read.reading, read.word) == ("legal", word)


@pytest.mark.parametrize(("name", "ruleset", "seats"), TABLES)
def test_two_dialogues_about_equal_positions_are_equal(name: str, ruleset: str, seats: int) -> None:
    """A question depends only on the observation, so the journal finds it."""
    rng, played = generator(5), game(name)
    for observation in list(decisions(name, ruleset, seats))[:30]:
        other = played.resample(observation, rng).observation(observation.seat)
        first, second = (dialogue(name, ruleset, seats, observation.seat) for _ in range(2))
        first.ask(observation)
        second.ask(other)
        assert first.messages() == second.messages()


@pytest.mark.parametrize(("name", "ruleset", "seats"), TABLES)
def test_a_conversation_only_grows(name: str, ruleset: str, seats: int) -> None:
    """So that an endpoint finds the beginning of each prompt in its cache."""
    asked = dialogue(name, ruleset, seats, history="conversation")
    before: list[object] = []
    for observation in decisions(name, ruleset, seats):
        if observation.seat == 0:
            asked.ask(observation)
            messages: list[object] = list(asked.messages())
            assert messages[: len(before)] == before
            before = messages
            asked.settle(observation.legal_actions[0].text)
    assert len(before) > 4


def test_a_wrong_answer_is_told_why_and_forgotten_with_its_question() -> None:
    asked = dialogue("pazaak", "", 2)
    first, second = (each for each in list(decisions("pazaak", "", 2))[:2])
    asked.ask(first)
    asked.again("MOVE: fly", asked.read("MOVE: fly", first).problem)
    *_, wrong, told = asked.messages()
    assert (wrong.role, wrong.content, told.role) == ("assistant", "MOVE: fly", "user")
    assert "'fly' is not a legal move now." in told.content
    asked.settle(first.legal_actions[0].text)
    asked.ask(second)
    assert len(asked.messages()) == 2


def test_moves_are_left_out_on_demand() -> None:
    asked = dialogue("pazaak", "", 2, moves=False)
    asked.ask(next(decisions("pazaak", "", 2)))
    assert "Legal moves" not in asked.messages()[1].content


def test_a_template_replaces_a_block_and_keeps_the_rest() -> None:
    own = '{% extends "default" %}{% block advice %}Stand at {{ 10 + 8 }}.{% endblock %}'
    system = dialogue("pazaak", "", 2, template=own).messages()[0].content
    assert "Stand at 18." in system
    assert game("pazaak").words.rules(game("pazaak").ruleset()) in system


@pytest.mark.parametrize(
    ("template", "problem"),
    [
        ("{% if %}", "prompt: line 1: "),
        ("{{ rival_name }}", "'rival_name' is undefined"),
        ("{{ rules.__class__ }}", "unsafe"),
        ("{{ 1 / 0 }}", "ZeroDivisionError"),
        ('{% if part == "system" %}Hello.{% endif %}', "0 characters where part is 'loadout'"),
        ("{% for _ in range(99999) %}long long long{% endfor %}", f"1 to {MAX_MESSAGE_LENGTH}"),
        ("{% include 'other' %}", "other"),
        ("\n{{ 1 / 0 }}", "prompt: line 2: "),
        ("{% for _ in range(10**9) %}{% for _ in range(10**9) %}.{% endfor %}{% endfor %}", "big"),
        ("{% for a in range(9999) %}{% for b in range(9999) %}{% endfor %}{% endfor %}", "rounds"),
        ("{% macro f(n) %}{{ f(n + 1) }}{{ f(n + 1) }}{% endmacro %}{{ f(0) }}", "recursion"),
        ("{{ 'long' * 10**9 }}", "400000"),
        ("{{ 10 ** (10 ** 9) }}", "exponent"),
        ("{% set all = part | list %}{{ all.append('fly') }}", "unsafe"),
    ],
)
def test_a_wrong_template_is_one_line_before_the_first_match(template: str, problem: str) -> None:
    pazaak = game("pazaak")
    with pytest.raises(BadInput) as error:
        tried_messages(endpoint(template=template), pazaak, pazaak.ruleset(), 2)
    assert str(error.value).startswith("prompt: ")
    assert problem in str(error.value)
    assert "\n" not in str(error.value)


def test_a_template_that_fails_in_some_positions_is_found_before() -> None:
    own = (
        '{% extends "default" %}\n{% block position %}\n{{ super() }}\n'
        '{% if "standing" in position | string %}{{ oops }}{% endif %}{% endblock %}'
    )
    pazaak = game("pazaak")
    late = endpoint(template=own)
    assert tried_messages(late, pazaak, pazaak.ruleset(), 2)  # nobody stands
    said = r"prompt: line 4: 'oops' is undefined \(decision \d+ of a random match\)"
    with pytest.raises(BadInput, match=said):
        try_template(late, pazaak, pazaak.ruleset(), 2)


@pytest.mark.parametrize(("name", "ruleset", "seats"), TABLES)
@pytest.mark.parametrize("history", ["position", "conversation"])
def test_the_default_template_is_tried_on_each_game(
    name: str, ruleset: str, seats: int, history: str
) -> None:
    played = game(name)
    asked = tried_messages(endpoint(history=history), played, played.ruleset(ruleset), seats)
    assert len(asked) > 3
