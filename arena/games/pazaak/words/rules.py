"""The rules of a ruleset of Pazaak in full, as plain text; every sentence comes from an option."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache

from arena.games.pazaak.engine.actions import END_TURN, PLAYS_OF, STAND
from arena.games.pazaak.engine.cards import CATALOGUE, DECK_CARDS, FORTY, Card
from arena.games.pazaak.engine.rules import side_deck_choice
from arena.games.pazaak.engine.rulesets import HAND_SIZE, LIMIT, SETS_TO_WIN, SQUARES, PazaakRules
from arena.games.pazaak.parts.effects import effect

_FIRST_SET = {
    "opening_draw": "Each draws a deck card, the higher starts set 1 (equal: again; they {go}).",
    "seat_0": "The first seat starts set 1.",
    "random": "Set 1 is started by lot.",
}
_GO = {"return": "go back", "burn": "are out of set 1"}
_NEXT_SET = {
    "winner": "The winner of a set starts the next, after a tie who did not start.",
    "loser": "The loser of a set starts the next, after a tie who did not start.",
    "alternate": "Then the players start in turn.",
    "fixed": "The same player starts every set.",
    "random": "Each later set is started by lot.",
}
_DECK = {
    "forty_shared": "{cards}, for both, shuffled before each set.",
    "forty_each": "{cards}, one for each player, shuffled before each set.",
    "infinite": "Never runs out; every value {low} to {high} is always equally likely.",
}
_BUST = {
    "end_of_turn": f"Ending a turn or standing above {LIMIT} loses the set at once.",
    "immediate": f"A total above {LIMIT} loses the set at once, even by the deck card.",
}
_AUTO_STAND = {
    "immediate": f"Exactly {LIMIT} stands at once by rule.",
    "end_of_turn": f"Ending the turn at exactly {LIMIT} stands by rule.",
    "off": f"Exactly {LIMIT} does not stand by itself.",
}


@cache
def rules_text(ruleset: PazaakRules) -> str:
    """Returns the rules that are in force under a ruleset (rule book sections 2 to 4)."""
    rules = ruleset
    return "\n".join(
        [
            f"Pazaak, ruleset {rules.name}.",
            *_goal(rules),
            *_hand(rules),
            *_cards(rules),
            f"Main deck: {_deck(rules)}",
            f"Start: {_FIRST_SET[rules.first_set].format(go=_GO[rules.opening_cards])} "
            f"{_NEXT_SET[rules.next_set]}",
            "Turn: 1. A deck card is laid on your table. 2. You may play one hand card.",
            f"3. {END_TURN.text}, and get a deck card again in your next turn; or {STAND.text}: "
            "your total stays, and the rival goes on alone.",
            *_end(rules),
            f"Actions: {_actions(rules)}",
        ]
    )


def _goal(rules: PazaakRules) -> Iterator[str]:
    yield (
        f"Goal: win the match, by how much does not count: win {SETS_TO_WIN} sets first. "
        f"The total nearer to {LIMIT}, and not above, wins a set."
    )
    if rules.max_sets:
        yield f"After {rules.max_sets} sets who has won more wins, and equal is a draw."


def _hand(rules: PazaakRules) -> Iterator[str]:
    if rules.fixed_deck:
        yield f"Side deck: {_counted(rules.fixed_deck)}, the same for both."
    else:
        least, most = rules.deck_sizes
        size = f"{least}" if least == most else f"{least} to {most}"
        yield f"Side deck: you choose {size} cards before the match{_copies(rules)}."
        if rules.collection:
            yield f"You choose from {_counted(side_deck_choice(rules))}."
    lasts = {"match": "for the whole match", "set": "anew for each set"}[rules.hand_scope]
    yield (
        f"Hand: {HAND_SIZE} of them at random, {lasts}; played cards are not replaced. Hands and "
        "side decks are hidden."
    )


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
    for alike, meaning in (
        ([card for card in plain if len(card.values) == 1], "Add their value."),
        ([card for card in plain if len(card.values) > 1], "Plus or minus, as you like."),
    ):
        if alike:
            yield f"{' '.join(map(str, alike))}: {meaning}"
    flips = [card for card in cards if card.flips]
    if flips:
        yield f"{' '.join(map(str, flips))}: {effect(rules, *flips)}"
    yield from (f"{card}: {effect(rules, card)}" for card in cards if card.gold and not card.flips)


def _deck(rules: PazaakRules) -> str:
    low, high = DECK_CARDS[0], DECK_CARDS[-1]
    cards = f"{len(FORTY)} cards, {FORTY.count(1)} of each value {low} to {high}"
    return _DECK[rules.main_deck].format(cards=cards, low=low, high=high)


def _end(rules: PazaakRules) -> Iterator[str]:
    yield _BUST[rules.bust_check]
    yield _AUTO_STAND[rules.auto_stand]
    yield _full_table(rules)
    tiebreaker = any(card.breaks_ties for card in rules.kinds)
    yield (
        f"When both stand, the higher total wins. Equal totals{' without ±1T' * tiebreaker} are a "
        "tie."
    )
    if rules.flip_scope == "both" and any(card.flips for card in rules.kinds):
        yield f"A total above {LIMIT} by a flip after standing loses to one that is not above."


def _full_table(rules: PazaakRules) -> str:
    specials = [card.name for card in rules.kinds if card.special]
    but = f" (not counting {', '.join(specials)})"
    nine = f"{SQUARES} cards on your table{but if specials and not rules.specials_fill else ''}"
    if rules.fill == "full_table_stands":
        text = f"{nine} with {LIMIT} or less stand by rule."
    else:
        text = f"{nine} with {LIMIT} or less win the set at once, even against {LIMIT}."
        if rules.overshoot_spoils_fill:
            text += f" Not if you were above {LIMIT} in this set: then they stand by rule."
        if rules.ninth_on_twenty == "stand" and rules.auto_stand == "immediate":
            text += f" Not if they make exactly {LIMIT}: that stands by rule."
    if rules.fill_overflow == "bust":
        return f"{text} With {SQUARES} cards you can play no other."
    return f"{text} If they are above {LIMIT}, you may still play a hand card."


def _actions(rules: PazaakRules) -> str:
    shown: dict[int, str] = {}
    for card in sorted(rules.fixed_deck or side_deck_choice(rules), key=CATALOGUE.index):
        shown.setdefault(min(len(card.values), 2), PLAYS_OF[card][-1].text)
    return f"{END_TURN.text}; {STAND.text}; a card, such as {', '.join(shown.values())}."
