"""Sabacc as plain text, in at most 80 columns: one seat's view, or an onlooker's."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from textwrap import wrap
from typing import TYPE_CHECKING, TypeAlias

from arena.games.sabacc.actions import EXCHANGE_, SabaccAction
from arena.games.sabacc.cards import FIVE, Card, in_order
from arena.games.sabacc.history import events_of
from arena.games.sabacc.observation import SabaccObservation
from arena.games.sabacc.points import hand_points
from arena.games.sabacc.ranking import Value, ranker
from arena.games.sabacc.rulesets import SabaccRules
from arena.games.sabacc.stages import BETTING, OVER, STAGE_NAMES
from arena.games.sabacc.variants import Variant

if TYPE_CHECKING:
    from arena.games.sabacc.state import SabaccState

Public: TypeAlias = "SabaccObservation | SabaccState"
"""Whatever carries the public facts (``arena.games.sabacc.table``)."""

COLUMNS = 80
_FIRM = "\u00a0"  # lines do not break here
_CATEGORY = {
    "pure": "pure sabacc",
    "idiot": "the Idiot combination",
    "double": "double sabacc",
    "sabacc": "fool sabacc",
}
_AMOUNT = {"showdown": "won", "chips": "chips", "points": "points"}


def render(observation: SabaccObservation) -> str:
    """The observation for a person who is to decide; no colour, no control codes."""
    o = observation
    lines = [*_heading(o), *_seats(o, laid_down(o), you=o.seat)]
    if o.hand:
        lines += _own_hand(o)
    if o.legal_actions:
        lines += _block("choices: " + _choices(o.legal_actions))
    return "\n".join(lines)


def render_table(state: SabaccState, open_seats: Collection[int]) -> str:
    """The table for an onlooker: the open seats' cards, and those that were laid down."""
    seen = {seat: state.hands[seat] for seat in sorted(open_seats)}
    return "\n".join([*_heading(state), *_seats(state, seen | laid_down(state))])


def faces(rules: SabaccRules, variant: Variant, hand: Iterable[Card]) -> list[str]:
    """The cards by name, with what they count where the name does not tell it."""
    values = ranker(rules, variant).values
    return [
        f"{card} (wild)"
        if _wild(rules, card)
        else str(card)
        if card.numbered
        else f"{card} ({values[card.id]})"
        for card in hand
    ]


def worth(rules: SabaccRules, variant: Variant, hand: Sequence[Card]) -> str:
    """What a hand counts in a showdown, in words, and as what its fives are taken."""
    ranks = ranker(rules, variant)
    value = ranks.rank(hand)
    if value.total is None:
        return _CATEGORY.get(value.category, f"the {variant.combination} combination")
    fives = [card for card in hand if _wild(rules, card)]
    if not fives:
        return _total(value)
    taken = value.total - sum(ranks.values[card.id] for card in hand if card not in fives)
    those = f"five as {taken}" if len(fives) == 1 else f"fives as {taken} together"
    return f"{_total(value)} ({those})"


def counted(rules: SabaccRules, variant: Variant, hand: Sequence[Card]) -> str:
    """The cards and what they count together; spaces within a card are firm."""
    cards = ", ".join(map(_firm, faces(rules, variant, hand)))
    return f"{cards} {_firm('= ' + worth(rules, variant, hand))}"


def laid_down(public: Public) -> dict[int, tuple[Card, ...]]:
    """The cards that lie open after a showdown, extra ones included, by seat."""
    hands: dict[int, tuple[Card, ...]] = {}
    for event in events_of(public.history, public.hand_start):
        if event.kind in ("reveal", "extra"):
            hands[event.seat] = in_order((*hands.get(event.seat, ()), *event.cards))
    return hands


def _wild(rules: SabaccRules, card: Card) -> bool:
    return rules.wild_five and card.value == FIVE


def _total(value: Value) -> str:
    if value.bomb:
        return f"{value.total}, which loses"
    if value.category != "points":
        return f"{value.total}, {_CATEGORY[value.category]}"
    reduced = "" if value.strength == value.total else f", worth {value.strength}"
    return f"{value.total}{reduced}"


def _own_hand(o: SabaccObservation) -> list[str]:
    """The own cards with their places, as exchanges name them, and what they count."""
    cards = enumerate(faces(o.rules, o.variant, o.hand), 1)
    counts = f"  it counts {worth(o.rules, o.variant, o.hand)}"
    if o.rules.mode == "points":
        dealt = o.untouched[o.seat]
        points = hand_points(o.rules, o.variant, o.hand, dealt=dealt, won=False)
        counts += f"; it scores {points}"
    return [*_block("your hand: " + "  ".join(_firm(f"{n}. {card}") for n, card in cards)), counts]


def _heading(p: Public) -> Iterator[str]:
    """Which hand, by which rules, at which stage, and what lies in the middle."""
    rules = p.rules
    if rules.mode == "points" and rules.target:
        hand = f"Hand {p.hand_number}, to {rules.target} points"
    else:
        hand = f"Hand {p.hand_number} of {rules.hands}"
    stage = "an odd roll: a card to swap" if p.swapping else STAGE_NAMES[p.stage]
    yield f"{hand}; {p.variant.title}; {stage}"
    if p.stage == OVER:
        return
    if rules.mode == "chips":
        carried = f" and {p.carried} carried over" if p.carried else ""
        yield f"  pot {p.pot}{carried}; {_stake(p)}"
    if rules.dice or rules.variable:
        yield f"  {_clock(p)}"


def _stake(p: Public) -> str:
    """What it takes to stay in."""
    if p.rules.betting != "poker":
        return f"last stake {p.last_stake}"
    owed = p.to_call - p.round_put[p.player] if p.player >= 0 and p.stage in BETTING else 0
    return f"{owed} to call; the least bet or raise is {p.last_stake}"


def _clock(p: Public) -> str:
    """When dice and slips are due."""
    rules = p.rules
    due = " and ".join(["a roll of the die"] * rules.dice + ["a new slip"] * rules.variable)
    if rules.tick_every == "phase":
        return f"at the next phase {due}"
    every = sum(p.active) if rules.tick_every == "orbit" else rules.tick_every
    return f"clock at {p.ticks} of {every} decisions, then {due}"


def _seats(p: Public, seen: Mapping[int, Sequence[Card]], you: int | None = None) -> Iterator[str]:
    """A line a seat, and its cards as far as they are seen."""
    chips = p.rules.mode == "chips"
    wide = max(len(str(amount)) for amount in p.amounts)
    for seat, amount in enumerate(p.amounts):
        line = f"  {'>' if p.player == seat else ' '} seat {seat}  "
        line += f"{_AMOUNT[p.rules.mode]} {amount:>{wide}}"
        if chips:
            line += f"  put {p.staked[seat]:>{len(str(max(p.staked)))}}"
        line += f"  {_number(p.hand_sizes[seat])}"
        line = ", ".join([line, *_marks(p, seat, you)])
        yield from wrap(line, COLUMNS, subsequent_indent=" " * 11)
        if seen.get(seat):
            yield from _block(counted(p.rules, p.variant, seen[seat]), " " * 11)


def _number(cards: int) -> str:
    return f"{cards} card{'s' if cards != 1 else ' '}" if cards else "no cards"


def _marks(p: Public, seat: int, you: int | None) -> Iterator[str]:
    """What there is to say of a seat."""
    if seat == you:
        yield "you"
    if seat == p.button:
        yield "dealer"
    if seat in p.expelled:
        yield "taken out"
    elif p.out_since[seat]:
        yield "out of chips"
    elif not p.active[seat]:
        yield "folded"
    elif p.all_in[seat]:
        yield "all in"
    if p.player == seat:
        yield "to act"
    if p.shown[seat]:
        yield "shows " + ", ".join(map(str, p.shown[seat]))


def _block(text: str, indent: str = "  ") -> list[str]:
    """A text in lines that never break at a firm space."""
    lines = wrap(text, COLUMNS, initial_indent=indent, subsequent_indent=indent + "  ")
    return [line.replace(_FIRM, " ") for line in lines]


def _firm(text: str) -> str:
    return text.replace(" ", _FIRM)


def _choices(legal: Sequence[SabaccAction]) -> str:
    """The actions; runs of stakes and of exchanges in short."""
    groups = [tuple(group) for _, group in groupby(legal, _alike)]
    return ", ".join(_in_short(group) for group in groups)


def _alike(action: SabaccAction) -> tuple[int, int]:
    """Actions that are told in one go: of a kind, exchanges of as many cards."""
    return action.kind, action.count if action.kind == EXCHANGE_ else 0


def _in_short(actions: Sequence[SabaccAction]) -> str:
    texts = [action.text for action in actions]
    first, last = actions[0], actions[-1]
    if first.kind == EXCHANGE_ and len(actions) > 1:
        places = [_firm(text.removeprefix("exchange ")) for text in texts[1:]]
        return " / ".join([_firm(texts[0]), *places])
    if len(actions) > 3:
        return _firm(first.text.replace(str(first.value), f"{first.value}..{last.value}", 1))
    return ", ".join(map(_firm, texts))
