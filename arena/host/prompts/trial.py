"""Tries a template on real positions, so that its mistakes are found before the first match."""

from __future__ import annotations

from arena.core.bot import MatchContext
from arena.core.chance.dealer import SeatStreams
from arena.core.errors import BadInput
from arena.core.game import AnyGame, Ruleset
from arena.host.prompts.dialogue import Dialogue, Message
from arena.plugins.endpoints.spec import Endpoint

MAX_TRIED = 40
"""Decisions that are tried; hands and sets end within them."""


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
        word = observation.legal_actions[0]
        if observation.seat == seat:
            dialogue.ask(observation)
            asked.append(dialogue.messages())
            dialogue.again("?", dialogue.read("?", observation).problem)
            dialogue.settle(word.text)
        state.apply_action(word)
    if not asked:
        raise BadInput(f"prompt: {game.name} asks nothing")
    return asked
