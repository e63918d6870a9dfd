"""Tries a template on real positions, so that its mistakes are found before the first match."""

from __future__ import annotations

from collections.abc import Iterator
from time import monotonic

from arena.core.bot import MatchContext
from arena.core.chance.dealer import SeatStreams
from arena.core.chance.seeding import generator
from arena.core.errors import BadInput
from arena.core.game import AnyGame, Ruleset
from arena.core.observation import Observation
from arena.host.prompts.dialogue import Dialogue, Message
from arena.plugins.endpoints.spec import Endpoint

MAX_TRIED = 40
"""Decisions of the first match that are tried; hands and sets end within them."""
TRIED_MATCHES = 8
"""Matches of random moves on which a template is tried besides."""
TRIED_SECONDS = 2.0
"""Time for these; the first one is begun in any case."""


def try_template(endpoint: Endpoint, game: AnyGame, ruleset: Ruleset, seats: int) -> None:
    """Tries an endpoint's template on the decisions of all seats in whole matches.

    Raises:
        BadInput: The template fails; the line names the decision. Or the game does not accept the
            endpoint's loadout.
    """
    tried_messages(endpoint, game, ruleset, seats)
    if not endpoint.template:
        return
    until = monotonic() + TRIED_SECONDS
    for number in range(1, TRIED_MATCHES + 1):
        contexts = [MatchContext(game, ruleset.name, seat, seats, 0) for seat in range(seats)]
        dialogues = [Dialogue(endpoint, context) for context in contexts]
        for decision, observation in enumerate(_random_match(game, ruleset, seats, number), 1):
            try:
                _asked(dialogues[observation.seat], observation)
            except BadInput as error:
                raise BadInput(f"{error} (decision {decision} of a random match)") from None
            if monotonic() > until:
                return


def tried_messages(
    endpoint: Endpoint, game: AnyGame, ruleset: Ruleset, seats: int
) -> list[list[Message]]:
    """Returns the messages of a match's first decisions, one seat's, the first move always played.

    Each of the template's parts is used at least once.

    Raises:
        BadInput: The template fails, or the game does not accept the endpoint's loadout.
    """
    loadouts = game.loadouts
    default = loadouts.accept(ruleset, None)
    state = game.new_state(ruleset, [default] * seats, SeatStreams(1))
    asked: list[list[Message]] = []
    seat = state.current_player()
    dialogue = Dialogue(endpoint, MatchContext(game, ruleset.name, seat, seats, 0))
    offer = loadouts.offer(ruleset, seat)
    if offer is not None:
        dialogue.ask_loadout(offer)
        if not endpoint.loadout:
            asked.append(dialogue.messages())
    while len(asked) < MAX_TRIED and not state.is_terminal():
        observation = state.observation(state.current_player())
        if observation.seat == seat:
            asked.append(_asked(dialogue, observation))
        state.apply_action(observation.legal_actions[0])
    if not asked:
        raise BadInput(f"prompt: {game.name} asks nothing")
    return asked


def _asked(dialogue: Dialogue, observation: Observation) -> list[Message]:
    """The messages of a decision; a wrong answer is given, and then the first move."""
    dialogue.ask(observation)
    messages = dialogue.messages()
    dialogue.again("?", dialogue.read("?", observation).problem)
    dialogue.settle(observation.legal_actions[0].text)
    return messages


def _random_match(
    game: AnyGame, ruleset: Ruleset, seats: int, number: int
) -> Iterator[Observation]:
    chance = generator(number)
    default = game.loadouts.accept(ruleset, None)
    state = game.new_state(ruleset, [default] * seats, SeatStreams(number))
    while not state.is_terminal():
        observation = state.observation(state.current_player())
        yield observation
        state.apply_action(chance.choice(observation.legal_actions))
