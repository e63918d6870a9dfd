"""The state of a career match: a table of Pazaak in which chance is a player, and the extras.

The table's own chance is answered from the piles that it would draw from itself, so that without
extras the same seed deals the same match as in Pazaak. Rolls have piles of their own.
"""

from __future__ import annotations

from fractions import Fraction

from arena.core.actions import Action, not_one_of
from arena.core.chance.dealer import Dealer, Pile
from arena.core.errors import IllegalAction
from arena.core.outcome import Outcome, Termination
from arena.core.state import CHANCE, TERMINAL, State
from arena.games.pazaak.career import actions, extras, history
from arena.games.pazaak.career.actions import CareerAction
from arena.games.pazaak.career.observation import (
    AUXILIARY,
    BEFORE,
    CHOOSE,
    LOOK,
    OVER,
    PLAY,
    SKILL,
    SWAP,
    TRY,
    CareerObservation,
)
from arena.games.pazaak.career.rules import PERSON, RIVAL, CareerRules, auxiliary_pool
from arena.games.pazaak.engine import chance, stages
from arena.games.pazaak.engine.actions import DRAWS, STARTS, PazaakAction, deal
from arena.games.pazaak.engine.cards import Card, in_order
from arena.games.pazaak.engine.procedure import take_chance
from arena.games.pazaak.engine.rulesets import HAND_SIZE
from arena.games.pazaak.engine.state import PazaakState

PER_CENT = range(100)
"""The interfaces of the die that rolls are made with: below the chance is a success."""


class CareerState(State[CareerObservation]):
    """A career match in progress; only ``apply_action`` changes it.

    Args:
        rules: The rules with the extras.
        table: The table of Pazaak, without a dealer.
        dealer: Answers chance; ``None``: chance is a player.

    Attributes:
        stage: One of ``arena.games.pazaak.career.observation``.
        player: The seat to decide, or ``CHANCE``, or ``TERMINAL``.
        legal: What the seat to decide may do; empty at chance nodes and at the end.
        histories: The events that each seat notices.
        auxiliary: The person's auxiliary hand; empty until it is dealt with the first success.
        attempts: Cheats that the person has attempted.
        cheated: Whether the person has chosen to cheat in this turn.
        tried: The number of the set of the last roll for the auxiliary hand; 0 for none.
        rolls: Pairs of rolls of skill that decided nothing.
        skilled: The person's roll of skill, while the rival's is to come.
    """

    __slots__ = (
        "attempts", "auxiliary", "cheated", "dealer", "drawing", "ending", "followed",
        "histories", "legal", "pending", "pile", "pile_set", "player", "rolled", "rolls", "rules",
        "skilled", "stage", "table", "tried", "won",
    )  # fmt: skip

    def __init__(
        self,
        rules: CareerRules,
        table: PazaakState,
        dealer: Dealer | None = None,
        stage: int = PLAY,
    ) -> None:
        self.rules, self.table, self.dealer, self.stage = rules, table, dealer, stage
        self.player = CHANCE
        self.legal: tuple[PazaakAction | CareerAction, ...] = ()
        self.histories = (b"", b"")
        self.followed = 0
        self.auxiliary: tuple[Card, ...] = ()
        self.attempts = self.tried = self.rolls = self.rolled = 0
        self.cheated = self.drawing = False
        self.pending: CareerAction | None = None
        self.skilled: bool | None = None
        self.won: tuple[int, int] | None = None
        self.pile: Pile[int] | None = None
        self.pile_set = 0
        self.ending: Outcome | None = None

    def begin(self) -> None:
        """Continues to the next decision; called once, when all is set up."""
        self._ask()
        while self.player == CHANCE and self.dealer is not None:
            self._answer(self.dealer)
            self._ask()

    def current_player(self) -> int:
        return self.player

    def legal_actions(self) -> tuple[Action, ...]:
        if self.player == CHANCE:
            return tuple([action for action, _ in self.chance_outcomes()])
        return self.legal

    def chance_outcomes(self) -> tuple[tuple[Action, Fraction], ...]:
        if self.player != CHANCE:
            return ()
        if self.stage == PLAY:
            return self.table.chance_outcomes()
        if self.stage == AUXILIARY:
            return chance.hands_of(_pool(self.table))
        success = Fraction(self._chance(), len(PER_CENT))
        both = ((actions.SUCCESS, success), (actions.FAILURE, 1 - success))
        return tuple((action, odd) for action, odd in both if odd)

    def apply_action(self, action: object) -> None:
        # The exact type comes first: `in` would ask an untrusted object's __eq__.
        known = type(action) is PazaakAction or type(action) is CareerAction
        if not known or action not in (self.legal or self.legal_actions()):
            raise IllegalAction(self._refusal(action))
        if self.player == CHANCE:
            self._take_chance(action)  # type: ignore[arg-type] # its type was looked at
        elif isinstance(action, PazaakAction):
            self.table.apply_action(action)
            self._follow()
        elif isinstance(action, CareerAction):
            self._take(action)
        self.begin()

    def outcome(self) -> Outcome:
        if self.ending is None:
            raise IllegalAction("the match is not over")
        return self.ending

    def scores(self) -> tuple[int, ...]:
        return self.won or self.table.scores()

    def observation(self, seat: int) -> CareerObservation:
        mine = seat == PERSON
        return CareerObservation(
            seat,
            self.legal if self.player == seat else (),
            self.histories[seat],
            self.rules,
            self.table.observation(seat),
            # The rival notices nothing of what the person does beside the table.
            self.stage if mine or self.stage in (SKILL, OVER) else PLAY,
            self.auxiliary if mine else (),
            self.attempts if mine else 0,
            self.cheated and mine,
            mine and self._has_tried(),
            self.rolls,
            self.skilled,
        )

    def clone(self, dealer: Dealer | None = None) -> CareerState:
        twin = CareerState.__new__(CareerState)
        for name in CareerState.__slots__:
            setattr(twin, name, getattr(self, name))
        twin.table = self.table.clone()
        twin.dealer, twin.pile, twin.pile_set = dealer, None, 0
        if dealer is not None and twin.player == CHANCE:
            twin.begin()
        return twin

    def _has_tried(self) -> bool:
        return bool(self.tried) and self.tried == self.table.set_number

    def _chance(self) -> int:
        """The chance of the roll that is due, in per cent."""
        if self.stage == TRY:
            return self.rules.chance_of_cheat(self.attempts)
        rivals = self.stage == SKILL and self.skilled is not None
        return self.rules.rival_skill if rivals else self.rules.skill

    # Decisions

    def _ask(self) -> None:
        table, stage = self.table, self.stage
        self.legal = ()
        if stage == PLAY and table.ending is not None:
            self._end(table.ending)
        elif stage == PLAY and table.player == CHANCE and self._may_look():
            self.stage = stage = BEFORE
        if stage == BEFORE:
            self.legal = (actions.DRAW, actions.LOOK)
        elif stage == SWAP:
            self.legal = extras.exchanges(table.hands[PERSON], self.auxiliary)
        elif stage == CHOOSE:
            self.legal = extras.cheats(table)
        elif stage == PLAY and table.player not in (CHANCE, TERMINAL):
            self.legal = extras.own_choices(self.rules, table, self.attempts, self.cheated)
        if self.ending is not None:
            self.player = TERMINAL
        elif stage == PLAY:
            self.player = table.player
        else:
            self.player = PERSON if self.legal else CHANCE

    def _may_look(self) -> bool:
        """Section 7: one roll for the auxiliary hand a set, before a deck card of the person's."""
        table = self.table
        due = table.phase == stages.DRAW and table.turn == PERSON and not self.drawing
        return due and self.rules.auxiliary and bool(table.hands[PERSON]) and not self._has_tried()

    def _take(self, action: CareerAction) -> None:
        kind = action.kind
        if kind == actions.DRAW_:
            self.stage, self.drawing = PLAY, True
        elif kind == actions.LOOK_:
            self.stage, self.tried = LOOK, self.table.set_number
        elif kind in (actions.KEEP_, actions.SWAP_):
            self._exchange(action)
        elif kind == actions.CHEAT_:
            self.stage, self.cheated = CHOOSE, True
        elif kind == actions.HONEST_:
            self.stage = PLAY
            self._note(history.HONEST)
        else:
            self.stage, self.pending = TRY, action

    def _exchange(self, action: CareerAction) -> None:
        """Section 7, 003:144-147: the hand card takes the place of the auxiliary card."""
        self.stage, self.drawing = PLAY, True
        self._note(history.SWAPPED if action.kind == actions.SWAP_ else history.KEPT)
        if action.card is not None and action.other is not None:
            extras.replace_hand_card(self.table, action)
            at = self.auxiliary.index(action.other)
            self.auxiliary = (*self.auxiliary[:at], action.card, *self.auxiliary[at + 1 :])

    # Chance

    def _answer(self, dealer: Dealer) -> None:
        table = self.table
        if self.stage == AUXILIARY:
            hand = dealer.deal(f"auxiliary/{table.set_number}", _pool(self.table), HAND_SIZE)
            self._take_chance(deal(in_order(hand)))
        elif self.stage != PLAY:
            roll = dealer.source(f"roll/{self.rolled}", PER_CENT, 1).draw(0)
            self._take_chance(actions.SUCCESS if roll < self._chance() else actions.FAILURE)
        elif table.phase == stages.DEAL:
            self._take_chance(deal(chance.deal_hand(table, dealer)))
        elif table.phase == stages.OPENING:
            for value in chance.opening_cards(table, dealer):
                self._take_chance(DRAWS[value - 1])
        elif table.phase == stages.START:
            self._take_chance(STARTS[chance.draw_starter(table, dealer)])
        else:
            self._take_chance(DRAWS[self._main(dealer).draw(table.turn) - 1])

    def _main(self, dealer: Dealer) -> Pile[int]:
        if self.pile is None or self.pile_set != self.table.set_number:
            self.pile = chance.main_pile(self.table, dealer)
            self.pile_set = self.table.set_number
        return self.pile

    def _take_chance(self, action: PazaakAction | CareerAction) -> None:
        if isinstance(action, CareerAction):
            self.rolled += 1
            self._rolled(action is actions.SUCCESS)
        elif self.stage == AUXILIARY:
            self.auxiliary, self.stage = action.cards, SWAP
        else:
            phase = self.table.phase
            if phase == stages.DRAW:
                self.drawing = self.cheated = False
            elif phase == stages.DEAL:
                self.auxiliary = ()
            take_chance(self.table, action)
            self._follow()

    def _rolled(self, success: bool) -> None:
        if self.stage == SKILL:
            self._roll_skill(success)
        elif self.stage == LOOK:
            self._note(history.LOOKED[success])
            if not success:
                self.stage, self.drawing = PLAY, True
            else:
                self.stage = SWAP if self.auxiliary else AUXILIARY
        else:
            self._try_cheat(success)

    def _roll_skill(self, success: bool) -> None:
        """Section 7, 003:133-134: who alone succeeds wins; else both roll again."""
        seat = PERSON if self.skilled is None else RIVAL
        self._note(history.SKILL[success], seat, everybody=True)
        if self.skilled is None:
            self.skilled = success
            return
        mine, self.skilled = self.skilled, None
        if mine != success:
            self.won = (int(mine), int(success))
            self._end(_won_by(PERSON if mine else RIVAL, self.won))
            return
        self.rolls += 1
        if self.rolls == self.rules.most_rolls:
            self._end(Outcome((0.0, 0.0), (0, 0), Termination.CAP))

    def _try_cheat(self, success: bool) -> None:
        """Section 7, 003:153-161: a cheat succeeds unnoticed, or loses the match."""
        action, self.pending = self.pending, None
        assert action is not None
        self.attempts += 1
        if not success:
            self._note(history.CAUGHT, everybody=True)
            self._end(_won_by(RIVAL, self.table.scores()))
            return
        if action.kind == actions.ALTER_:
            self._note(history.altered(action.seat, action.value))
        else:
            self._note(history.TURNED if action.kind == actions.TURN_ else history.CHANGED)
        self.stage = PLAY
        extras.cheat(self.table, action)
        self._follow()

    def _end(self, ending: Outcome) -> None:
        self.stage, self.ending = OVER, ending

    # Histories

    def _follow(self) -> None:
        new = self.table.history[self.followed :]
        self.followed += len(new)
        first, second = self.histories
        self.histories = (first + new, second + new)

    def _note(self, code: int, seat: int = PERSON, everybody: bool = False) -> None:
        """Notes an event of the extras, for the person alone unless everybody notices it."""
        first, second = self.histories
        event = history.by_seat(seat, code)
        self.histories = (first + event, second + event if everybody else second)

    def _refusal(self, action: object) -> str:
        if self.player == TERMINAL:
            return "the match is over"
        legal = ", ".join(each.text for each in self.legal_actions()[:12])
        own = type(action) in (PazaakAction, CareerAction)
        return not_one_of(action, str(action) if own else "", legal)


def _pool(table: PazaakState) -> tuple[Card, ...]:
    return auxiliary_pool(table.side_decks[PERSON], table.dealt[PERSON][-1])


def _won_by(seat: int, scores: tuple[int, ...]) -> Outcome:
    returns = (1.0, -1.0) if seat == PERSON else (-1.0, 1.0)
    return Outcome(returns, scores, Termination.RULES)
