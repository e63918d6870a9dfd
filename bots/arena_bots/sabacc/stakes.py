"""Chooses stakes in all three ways to bet, and counts the decisions still to come in a hand."""

from __future__ import annotations

from arena.games.sabacc.engine import actions
from arena.games.sabacc.engine.actions import SabaccAction
from arena.games.sabacc.engine.observation import SabaccObservation
from arena.games.sabacc.engine.stages import BETTING, DRAWS, EXCHANGE, RAISING, stages_of

_STAYS = (actions.CHECK_, actions.PUT_, actions.CALL_, actions.ALL_IN_)
_GROWS = (actions.PUT_, actions.BET_, actions.RAISE_)


def stay(observation: SabaccObservation, demand: bool = False) -> SabaccAction:
    """Returns the cheapest way to stay in the hand, or folding without one.

    Args:
        observation: The seat's observation when it is to bet.
        demand: Whether to demand the exchange with it, where that can be done (I11).
    """
    legal = observation.legal_actions
    if demand:
        for action in legal:
            if action.kind == actions.DEMAND_:
                return action
    # Stakes are listed from the least up.
    return next((action for action in legal if action.kind in _STAYS), actions.FOLD)


def raised(observation: SabaccObservation, chips: float) -> SabaccAction:
    """Returns the stake nearest to that many chips, or the cheapest way to stay in.

    In poker betting only those count that leave the seat its ``reserve``.
    """
    most = observation.amounts[observation.seat] - reserve(observation)
    stakes = [act for act in growing(observation) if put_by(observation, act) <= most]
    if not stakes:
        return stay(observation)
    return min(stakes, key=lambda action: abs(action.value - chips))


def reserve(observation: SabaccObservation) -> int:
    """Returns the chips to keep after a bet or raise, lest a richer rival price the seat out.

    In poker betting who cannot answer a bet leaves, whatever he holds (B14). A rival with more
    chips in all can raise by the cap now, and bet the cap in every round to come, until the seat
    cannot call: who raises him with less left pays for a pot that it cannot win. Without a cap
    nothing suffices. Elsewhere, and with as many chips as any rival, the reserve is 0.
    """
    rules, seat = observation.rules, observation.seat
    if rules.betting != "poker" or rules.short_stack == "all_in":
        return 0
    stacks = [had + put for had, put in zip(observation.amounts, observation.staked, strict=True)]
    if stacks[seat] >= max((stacks[other] for other in answering(observation)), default=0):
        return 0
    rounds = sum(stage in BETTING for stage in stages_of(rules)[observation.step + 1 :])
    return (1 + rounds) * (rules.cap or stacks[seat])


def growing(observation: SabaccObservation, most: int = 0) -> list[SabaccAction]:
    """Returns the stakes to choose from, the least first; about ``most`` of them, if given."""
    stakes = [action for action in observation.legal_actions if action.kind in _GROWS]
    if not most or len(stakes) <= most:
        return stakes
    return [*stakes[:: -(-len(stakes) // most)], stakes[-1]]


def put_by(observation: SabaccObservation, action: SabaccAction) -> int:
    """Returns the chips that a stake of ``growing`` costs."""
    return action.value + (observation.owed if action.kind == actions.RAISE_ else 0)


def after_hand(
    observation: SabaccObservation, winner: int, chips: int, answer: int = 0
) -> list[int]:
    """Returns the chips by seat when this hand is over.

    Args:
        answer: Chips that each rival still bets, as far as it has them, if he can answer.
    """
    amounts = [*observation.amounts]
    amounts[observation.seat] -= chips
    pot = observation.pot + observation.carried + chips
    if answer:
        for rival in answering(observation):
            put = min(answer, amounts[rival])
            amounts[rival] -= put
            pot += put
    amounts[winner] += pot
    return amounts


def price(observation: SabaccObservation) -> int:
    """Returns the chips that the cheapest way to stay in costs."""
    action = stay(observation)
    if action.kind == actions.PUT_:
        return action.value
    if action.kind == actions.CALL_:
        return observation.owed
    return observation.amounts[observation.seat] if action.kind == actions.ALL_IN_ else 0


def rivals(observation: SabaccObservation) -> int:
    """Returns the number of other seats in the hand."""
    return sum(observation.active) - 1


def exchange_comes(observation: SabaccObservation) -> bool:
    """Returns whether the exchange of this hand is still to come."""
    if observation.rules.betting == "alternating":
        return not observation.demanded
    return EXCHANGE in stages_of(observation.rules)[observation.step + 1 :]


def draws_to_come(observation: SabaccObservation) -> int:
    """Returns the number of cards that a seat may still draw after this decision."""
    plan = stages_of(observation.rules)
    return sum(stage in DRAWS for stage in plan[observation.step + 1 :])


def answering(observation: SabaccObservation) -> tuple[int, ...]:
    """Returns the rivals who would have to answer a raise of this seat."""
    seat = observation.seat
    rules = observation.rules
    last = observation.stage == RAISING and observation.raises + 1 >= rules.max_raises
    asked = observation.waiting if last else [n for n, a in enumerate(observation.active) if a]
    return tuple(n for n in asked if n != seat and not observation.all_in[n])


def unaffordable(observation: SabaccObservation) -> SabaccAction | None:
    """Returns the least stake that no rival can put, which makes all of them leave (B14)."""
    asked = answering(observation)
    if observation.rules.short_stack == "all_in" or len(asked) < rivals(observation):
        return None
    most = max(observation.amounts[other] for other in asked)
    return next(
        (act for act in observation.legal_actions if act.kind in _GROWS and act.value > most), None
    )
