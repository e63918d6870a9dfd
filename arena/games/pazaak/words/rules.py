"""The rules of a ruleset of Pazaak in full, as plain text; every sentence comes from an option."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import groupby

from arena.games.pazaak.engine.actions import END_TURN, PLAYS_OF, STAND
from arena.games.pazaak.engine.cards import CATALOGUE, DECK_CARDS, FORTY, Card
from arena.games.pazaak.engine.rules import side_deck_choice
from arena.games.pazaak.engine.rulesets import HAND_SIZE, LIMIT, SETS_TO_WIN, SQUARES, PazaakRules
from arena.games.pazaak.parts.effects import effect

_FIRST_SET = {
    "opening_draw": "who draws the higher deck card (equal: again; they {go})",
    "seat_0": "the first seat",
    "random": "set 1 by lot",
}
_GO = {"return": "go back", "burn": "are out of set 1"}
_NEXT_SET = {
    "winner": "then the winner of the last set, or after a tie who did not start it",
    "loser": "then the loser of the last set, or after a tie who did not start it",
    "alternate": "then in turn",
    "fixed": "then the same player",
    "random": "each later set by lot",
}
_DECK = {
    "forty_shared": "{number} shared cards, {each}",
    "forty_each": "{number} cards for each player, {each}",
    "infinite": "never runs out; {low} to {high} are always equally likely",
}
_BUST = {
    "end_of_turn": f"Ending a turn above {LIMIT} loses the set.",
    "immediate": f"Above {LIMIT} loses the set at once, even by the deck card.",
}
_AUTO_STAND = {
    "immediate": f"Exactly {LIMIT} stands at once.",
    "end_of_turn": f"Exactly {LIMIT} stands at the end of the turn.",
    "off": f"Exactly {LIMIT} does not stand by itself.",
}


@cache
def rules_text(ruleset: PazaakRules) -> str:
    """Returns the rules that are in force under a ruleset (rule book sections 2 to 4)."""
    rules = ruleset
    return "\n".join(
        [
            f"Pazaak, ruleset {rules.name}.",
            _goal(rules),
            *_hand(rules),
            *_cards(rules),
            f"Deck: {_deck(rules)}.",
            f"Start: {_FIRST_SET[rules.first_set].format(go=_GO[rules.opening_cards])}, "
            f"{_NEXT_SET[rules.next_set]}.",
            f"Turn: a deck card is laid; you may play a hand card ({_plays(rules)}); "
            f"{END_TURN.text}, or {STAND.text}: your total stays, the rival goes on alone.",
            _end(rules),
        ]
    )


def _goal(rules: PazaakRules) -> str:
    cap = f" After {rules.max_sets} sets the most win, equal is a draw." if rules.max_sets else ""
    return f"Goal: win {SETS_TO_WIN} sets.{cap}"


def _hand(rules: PazaakRules) -> Iterator[str]:
    if rules.fixed_deck:
        side = f"{_counted(rules.fixed_deck)}, the same for both"
    else:
        least, most = rules.deck_sizes
        size = f"{least}" if least == most else f"{least} to {most}"
        side = f"{size} cards you choose{_copies(rules)}"
        if rules.collection:
            side += f"; you have {_counted(side_deck_choice(rules))}"
    lasts = {"match": "for the match", "set": "anew for each set"}[rules.hand_scope]
    yield f"Side deck: {side}. Hand: {HAND_SIZE} of them at random {lasts}. Both hidden."


def _copies(rules: PazaakRules) -> str:
    gold = [card.name for card in rules.kinds if card.gold]
    limits = f", at most {rules.max_copies} of a kind" if rules.max_copies else ""
    if rules.max_gold_copies and gold:
        limits += f", at most {rules.max_gold_copies} of each of {', '.join(gold)}"
    return limits or ("" if rules.collection else ", any number of a kind")


def _counted(cards: Sequence[Card]) -> str:
    return ", ".join(f"{count} {card}" for card, count in Counter(cards).items())


def _cards(rules: PazaakRules) -> Iterator[str]:
    cards = dict.fromkeys(rules.fixed_deck or side_deck_choice(rules))
    plain = [card for card in cards if not card.gold]
    alike = [card for card in plain if len(card.values) == 1]
    either = [card for card in plain if len(card.values) > 1]
    yield f"Cards: {_runs(alike)}{', ' * bool(alike and either)}" + (
        f"{_runs(either)} (plus or minus)." if either else "."
    )
    flips = [card for card in cards if card.flips]
    if flips:
        yield f"{', '.join(map(str, flips))}: {effect(rules, *flips)}"
    yield from (f"{card}: {effect(rules, card)}" for card in cards if card.gold and not card.flips)


def _runs(cards: Sequence[Card]) -> str:
    """The cards with the first and the last of each sign, where all between are there."""
    texts = []
    for _, group in groupby(sorted(cards, key=CATALOGUE.index), key=lambda card: str(card)[0]):
        names = [str(card) for card in group]
        whole = len(names) > 2 and int(names[-1][1:]) - int(names[0][1:]) == len(names) - 1
        texts.append(f"{names[0]} to {names[-1]}" if whole else " ".join(names))
    return ", ".join(texts)


def _deck(rules: PazaakRules) -> str:
    low, high = DECK_CARDS[0], DECK_CARDS[-1]
    each = f"{FORTY.count(1)} each of {low} to {high}, shuffled before each set"
    return _DECK[rules.main_deck].format(number=len(FORTY), each=each, low=low, high=high)


def _end(rules: PazaakRules) -> str:
    tiebreaker = any(card.breaks_ties for card in rules.kinds)
    without = " without ±1T" if tiebreaker else ""
    lines = [
        _BUST[rules.bust_check],
        _AUTO_STAND[rules.auto_stand],
        _full_table(rules),
        f"Both stand: the higher total wins, equal{without} is a tie.",
    ]
    if rules.flip_scope == "both" and any(card.flips for card in rules.kinds):
        lines.append(f"Above {LIMIT} by a flip after standing loses to a total not above.")
    return " ".join(lines)


def _full_table(rules: PazaakRules) -> str:
    specials = [card.name for card in rules.kinds if card.special]
    but = f" (not counting {', '.join(specials)})"
    nine = f"{SQUARES} cards{but if specials and not rules.specials_fill else ''}"
    if rules.fill == "full_table_stands":
        text = f"{nine} with {LIMIT} or less stand by rule"
    else:
        text = f"{nine} with {LIMIT} or less win at once, even against {LIMIT}"
        if rules.overshoot_spoils_fill:
            text += f", but stand by rule if you were above {LIMIT} in this set"
        if rules.ninth_on_twenty == "stand" and rules.auto_stand == "immediate":
            text += f", but exactly {LIMIT} stands"
    if rules.fill_overflow == "bust":
        return f"{text}; with {SQUARES} you play no more."
    return f"{text}; above {LIMIT} you may still play a hand card."


def _plays(rules: PazaakRules) -> str:
    shown: dict[int, str] = {}
    for card in sorted(rules.fixed_deck or side_deck_choice(rules), key=CATALOGUE.index):
        shown.setdefault(min(len(card.values), 2), PLAYS_OF[card][-1].text)
    return ", ".join(shown.values())
