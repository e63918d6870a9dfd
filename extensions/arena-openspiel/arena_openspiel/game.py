"""A game of OpenSpiel as a game of Arena."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import cached_property
from random import Random
from typing import ClassVar

from arena.core.actions import Action
from arena.core.chance.dealer import Dealer
from arena.core.errors import BadPlugin, HarnessFault
from arena.core.game import Game
from arena.core.outcome import Payoffs
from arena.core.parts import Amounts
from arena_openspiel.catalogue import Entry
from arena_openspiel.facts import Facts
from arena_openspiel.library import SpielGame as Spiel
from arena_openspiel.library import SpielState as SpielPosition
from arena_openspiel.notation import SpielNotation
from arena_openspiel.observation import SpielObservation, SpielWire
from arena_openspiel.resampling import resampled
from arena_openspiel.rules import SpielRules, loaded, started, try_deal
from arena_openspiel.state import SpielState
from arena_openspiel.tensors import Tensor, writer
from arena_openspiel.wording import plain_text


class SpielAmounts(Amounts[SpielRules]):
    """The returns, as OpenSpiel bounds them."""

    game: SpielGame

    def unit(self, ruleset: SpielRules) -> str:
        return self.game.facts.unit

    def payoffs(self, ruleset: SpielRules, seats: int) -> Payoffs:
        spiel = self.game.loaded(ruleset, seats)
        total = spiel.utility_sum() if self.game.entry.zero_sum else None
        return Payoffs(least=spiel.min_utility(), most=spiel.max_utility(), total=total)


class SpielGame(Game[SpielRules, SpielObservation, SpielState]):
    """A game of OpenSpiel; ``arena_openspiel.games`` makes a subclass for each.

    OpenSpiel is imported with the first state, or the first ruleset with options.
    """

    entry: ClassVar[Entry]
    tensor: ClassVar[Tensor]
    facts: ClassVar[Facts]
    notation: ClassVar[SpielNotation]
    version = "1"
    amounts = cached_property(SpielAmounts)
    wire = cached_property(SpielWire)

    def ruleset(self, spelling: str = "") -> SpielRules:
        """Finds a ruleset, and tries its options where OpenSpiel is installed.

        Raises as ``Game.ruleset`` does, and ``BadInput`` for options that OpenSpiel refuses.
        """
        rules = super().ruleset(spelling)
        if rules.name not in self.rulesets:
            with suppress(BadPlugin):  # a bot's process may have no OpenSpiel
                try_deal(self.name, rules, self.seats[0])
        return rules

    def loaded(self, ruleset: SpielRules, seats: int) -> Spiel:
        """Returns OpenSpiel's game under a ruleset; raises as ``arena_openspiel.rules.loaded``."""
        return loaded(self.name, ruleset, seats)

    def started(self, ruleset: SpielRules, seats: int) -> SpielPosition:
        """Returns OpenSpiel's state before the deal; raises as ``arena_openspiel.rules.loaded``."""
        return started(self.name, ruleset, seats)

    def new_state(
        self, ruleset: SpielRules, loadouts: Sequence[bytes], dealer: Dealer | None = None
    ) -> SpielState:
        spiel = self.loaded(ruleset, len(loadouts)).new_initial_state()
        return SpielState(self, ruleset, spiel, dealer)

    def resample(self, observation: SpielObservation, rng: Random) -> SpielState:
        return resampled(self, observation, rng)

    def render(self, observation: SpielObservation) -> str:
        lines = [observation.text.strip("\n")]
        if observation.legal_actions:
            lines.append(f"choices: {', '.join(map(str, observation.legal_actions))}")
        return "\n".join(lines)

    def shown_to(self, spiel: SpielPosition, seat: int) -> str:
        """Returns what OpenSpiel shows a seat: its information state, or else its observation."""
        text: str = (
            spiel.information_state_string(seat)
            if self.entry.recalls
            else spiel.observation_string(seat)
        )
        return text

    def numbers(self, rules: SpielRules, spiel: SpielPosition, seat: int) -> bytes:
        """Returns what OpenSpiel shows a seat as float32; nothing where the game has no view."""
        if self.tensor.missing:
            return b""
        return writer(self.name, rules, spiel.num_players()).written(spiel, seat)

    def action(self, spiel: SpielPosition, player: int, id: int) -> Action:
        """Returns the action that OpenSpiel gives an id in a position."""
        if self.notation.numbered:
            return self.notation.action_of(id)
        text = plain_text(spiel.action_to_string(player, id))
        found = self.notation.listed.get(text)
        if found is None:
            raise HarnessFault(f"{self.name}: OpenSpiel has the action {text!r}, not listed here")
        return found
