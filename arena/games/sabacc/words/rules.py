"""The rules of a ruleset of Sabacc in full, as plain text; every sentence comes from an option."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

from arena.games.sabacc.cards.cards import CHARACTERS, DECK_SIZE, KINDS, SUITS
from arena.games.sabacc.cards.ranking import DOUBLE, FOOL, PURE, WILD_MOST
from arena.games.sabacc.cards.rulesets import DEALT, HAND_BONUS, MAX_CARDS, TIE_ROUNDS, SabaccRules
from arena.games.sabacc.cards.variants import VARIANTS, Variant
from arena.games.sabacc.engine.rules import exchange_counts, slips
from arena.games.sabacc.words.betting import betting_text

_UPSETS = {
    "tied_pure": "; beats pure sabacc if two hands are pure",
    "two_idiots": "; beats pure sabacc if two hands have it",
    "never": "",
    "always": "; beats pure sabacc",
}


@cache
def rules_text(ruleset: SabaccRules) -> str:
    """Returns the rules that are in force under a ruleset (rule book sections 1 to 11)."""
    rules = ruleset
    lines = (
        f"Sabacc, ruleset {rules.name}.",
        _goal(rules),
        *_deck(rules),
        _hand(rules),
        *_order(rules),
        *_ties(rules),
        *_clock(rules),
        *(_points(rules) if rules.mode == "points" else ()),
        *(betting_text(rules) if rules.mode == "chips" else ()),
    )
    return "\n".join(lines)


def _goal(rules: SabaccRules) -> str:
    if rules.mode == "chips":
        return (
            f"Goal: most chips after {rules.hands} hands. Everybody begins with "
            f"{rules.stack}. The match ends when one player alone can enter. Who runs out of "
            "chips later ranks higher."
        )
    if rules.mode == "points" and rules.target:
        return (
            f"Goal: most points. The match ends when one player alone leads with "
            f"{rules.target} or more, at the latest after {rules.max_hands} hands."
        )
    what, after = ("points after", " hands") if rules.mode == "points" else ("hands won of", "")
    return f"Goal: most {what} {rules.hands}{after}."


def _deck(rules: SabaccRules) -> Iterator[str]:
    wild = f" 5 is wild: ±1 to ±{WILD_MOST}." if rules.wild_five else ""
    names = ", ".join(CHARACTERS) if rules.variable else _values(rules.row)
    yield (
        f"Deck: {DECK_SIZE} cards. {', '.join(SUITS)}: 1 to 11, {_ranked()}.{wild} Two each: "
        f"{names}."
    )
    if rules.variable:
        yield f"Variant at the start: {rules.row.title}. The variants:"
        for row in _variants(rules):
            yield f"{row.title}: {_values(row)}; exchange {_exchange(rules, row)}; {_combo(row)}"


def _ranked() -> str:
    cards = [card for card in KINDS if card.suit == SUITS[0] and not card.numbered]
    return ", ".join(f"{card.rank} {card.value}" for card in cards)


def _variants(rules: SabaccRules) -> tuple[Variant, ...]:
    rows = tuple(VARIANTS.values())
    drawn = tuple([rows[slip.value] for slip in slips(rules)])
    return drawn if rules.row in drawn else (rules.row, *drawn)


def _values(row: Variant) -> str:
    return ", ".join(f"{name} {value}" for name, value in zip(CHARACTERS, row.values, strict=True))


def _exchange(rules: SabaccRules, row: Variant) -> str:
    few = _either(exchange_counts(rules, row, MAX_CARDS, showing=False) - {0})
    if not row.revealers:
        return few
    more = _either(exchange_counts(rules, row, MAX_CARDS, showing=True) - {0})
    return f"{few} ({more} after {' or '.join(f'show {each}' for each in row.revealers)})"


def _either(numbers: Iterable[int]) -> str:
    *first, last = sorted(numbers)
    if len(first) > 1 and last - first[0] == len(first):
        return f"{first[0]} to {last}"
    return " or ".join(map(str, [*first, last]))


def _combo(row: Variant) -> str:
    parts = [
        f"{f'{number} ' if number > 1 else ''}{f'any {what}' if what in SUITS else what}"
        for what, number in row.needs
    ]
    return f"{row.combination} combination: {', '.join(parts)}"


def _hand(rules: SabaccRules) -> str:
    out = {"out": "discards stay out", "reshuffled": "discards go back into the deck"}
    again = " (again only who drew)" if rules.second_draw == "drawers" else ""
    number = "by the variant" if rules.variable else _exchange(rules, rules.row)
    rows = _variants(rules) if rules.variable else (rules.row,)
    kept = "; a shown card is kept" if rules.reveal == "kept" else ""
    shown = kept if any(row.revealers for row in rows) else ""
    return (
        f"Hand, from the dealer's left (who deals next): {DEALT} cards; draw or pass, twice{again},"
        f" up to {MAX_CARDS}; exchange {number} by place (exchange 1 3), or keep; "
        f"{out[rules.discards]}{shown}. Best first:"
    )


def _order(rules: SabaccRules) -> Iterator[str]:
    whole = ", the whole hand" if rules.combo_match == "exact" else ""
    suits = ", numbers 1 to 11 only" if rules.suited_combo_cards == "numbered_only" else ""
    special = "combination of the variant" if rules.variable else _combo(rules.row)
    five = " (for 2 or 3 also any 5)" if rules.five_in_idiot else ""
    characters = " (for 2 or 3 also a character of that value)" if rules.character_in_idiot else ""
    total = "whatever the total" if rules.combo_vs_bomb == "combo_first" else "no losing total"
    yield f"pure sabacc: {PURE}"
    yield f"Idiot combination: Idiot, 2, 3{five}{characters}{whole}{_UPSETS[rules.idiot_upset]}"
    yield f"{special}{suits}{whole}; {total}"
    yield f"double sabacc: {DOUBLE}"
    yield f"fool sabacc: {FOOL}"
    size = {
        "absolute": "negative by size",
        "below_positive": "negative below all others, and among them by size",
    }
    signs = {"positive_wins": "+15 beats -15", "tie": "+15 ties -15"}
    reduced = {"tie": f"{PURE + 20} ties 20", "natural_wins": f"20 beats {PURE + 20}"}
    examples = [reduced[rules.reduced_tie]]
    if rules.negative_strength == "absolute":
        examples.insert(0, signs[rules.sign_tie])
    yield (
        f"the higher total: {PURE + 1} to {DOUBLE - 1} count {PURE} less, "
        f"{size[rules.negative_strength]}; {', '.join(examples)}"
    )
    zero = " or 0" if rules.zero_total == "bust" else ""
    yield f"Above {DOUBLE} or below {FOOL}{zero} loses."


def _ties(rules: SabaccRules) -> Iterator[str]:
    if rules.mode == "points" and rules.bonus != "winner":
        return
    then = {"chips": "they share the pot", "showdown": "all win", "points": "no bonus"}
    nobody = " All lose: nobody wins." if rules.mode == "showdown" else ""
    yield (
        f"Ties: an extra card each until one hand is best, or if equal has the higher card, "
        f"{TIE_ROUNDS} times at most; else {then[rules.mode]}.{nobody}"
    )


def _clock(rules: SabaccRules) -> Iterator[str]:
    if not (rules.dice or rules.variable):
        return
    when = {
        "orbit": "After one decision of everybody in the hand",
        "phase": "At every change of stage",
    }.get(str(rules.tick_every), f"After every {rules.tick_every} decisions")
    if rules.dice:
        folded = " A player who folds rolls too." if rules.mode == "chips" else ""
        yield (
            f"{when} the player to decide rolls a die. 1, 3, 5: this player must swap a card for "
            "one of the deck. 2, 4, 6: a random card of every hand is taken, they are shuffled, "
            f"and each hand gets one back.{folded}"
        )
    if rules.variable:
        back = {"put_back": "It goes back.", "kept_out": "It stays out until all were drawn."}
        yield (
            f"{when} a slip with a variant is drawn, in force from then on for all hands. "
            f"{len(slips(rules))} slips. {back[rules.slip_return]}"
        )


def _points(rules: SabaccRules) -> Iterator[str]:
    raw = {"reduced": f"{PURE} less", "raw": "as they are"}
    over = {
        "minus_46": f"the part above {DOUBLE}",
        "zero": "0",
        "penalty": f"minus the part above {DOUBLE}",
    }
    below = {"absolute": "their size", "signed": "as they are", "zero": "0"}
    bonus = {
        "dealt": f" {HAND_BONUS} more for pure, fool sabacc or a combination in the {DEALT} dealt "
        "cards, left as they were.",
        "winner": f" {HAND_BONUS} more for the only best hand.",
        "off": "",
    }
    yield (
        f"Points of everybody still in: pure, fool, double sabacc and combinations {PURE}; 0 to "
        f"{PURE - 1}: the total; {PURE + 1} to {DOUBLE - 1}: {raw[rules.points_24_45]}; "
        f"above {DOUBLE}: {over[rules.points_over_46]}; -1 to {FOOL + 1}: "
        f"{below[rules.points_negative]}; below {FOOL}: 0.{bonus[rules.bonus]}"
    )
    if rules.wild_five:
        yield "A 5 takes the value that scores most."
