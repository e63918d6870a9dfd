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
    "tied_pure": "It beats pure sabacc when two or more hands are pure.",
    "two_idiots": "It beats pure sabacc when two or more hands have it.",
    "never": "",
    "always": "It beats pure sabacc.",
}


@cache
def rules_text(ruleset: SabaccRules) -> str:
    """Returns the rules that are in force under a ruleset (rule book sections 1 to 11)."""
    rules = ruleset
    lines = (
        f"Sabacc, ruleset {rules.name}.",
        *_goal(rules),
        *_deck(rules),
        *_hand(rules),
        *_order(rules),
        *_ties(rules),
        *_clock(rules),
        *(_points(rules) if rules.mode == "points" else ()),
        *(betting_text(rules) if rules.mode == "chips" else ()),
        f"Actions: {_actions(rules)}",
    )
    return "\n".join(lines)


def _goal(rules: SabaccRules) -> Iterator[str]:
    if rules.mode == "chips":
        yield (
            f"Goal: finish the match with more chips than the others; by how much does not count. "
            f"Everybody begins with {rules.stack}. The match has {rules.hands} hands, fewer if one "
            "player alone can still enter. Of players without chips the later one out ranks higher."
        )
    elif rules.mode == "points" and rules.target:
        yield (
            f"Goal: have more points than the others at the end; by how much does not count. The "
            f"match ends when one player alone leads with {rules.target} points or more, and after "
            f"{rules.max_hands} hands in any case."
        )
    else:
        what = "points" if rules.mode == "points" else "won hands"
        yield (
            f"Goal: have more {what} than the others after {rules.hands} hands; by how much does "
            "not count."
        )


def _deck(rules: SabaccRules) -> Iterator[str]:
    wild = f" A 5 is wild: any value from 1 to {WILD_MOST} or -{WILD_MOST} to -1, the best for you."
    names = CHARACTERS if rules.variable else (f"in {rules.row.title} worth {_values(rules.row)}",)
    yield (
        f"Deck: {DECK_SIZE} cards. Suits {', '.join(SUITS)}, each with 1 to 11, {_ranked()}. Two "
        f"each of the characters {', '.join(names)}.{wild if rules.wild_five else ''}"
    )
    if rules.variable:
        yield f"Variant at the start: {rules.row.title}. The variants, with values of characters:"
        for row in _variants(rules):
            yield f"{row.title}: {_values(row)}. Exchange {_exchange(rules, row)}. {_combo(row)}."


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
    return f"{few} (after showing a {' or '.join(row.revealers)}: {more})"


def _either(numbers: Iterable[int]) -> str:
    *first, last = map(str, sorted(numbers))
    return f"{', '.join(first)} or {last}" if first else last


def _combo(row: Variant) -> str:
    parts = [
        f"{f'{number} ' if number > 1 else ''}{f'any {what}' if what in SUITS else what}"
        for what, number in row.needs
    ]
    return f"{row.combination} combination: {' + '.join(parts)}"


def _hand(rules: SabaccRules) -> Iterator[str]:
    left = "from the dealer's left, who changes each hand"
    who = "who drew" if rules.second_draw == "drawers" else "everybody"
    out = {"out": "stay out for the hand", "reshuffled": "go back into the deck at once"}
    yield (
        f"A hand, {left}: 1. {DEALT} cards each. 2. Each may draw a card or pass. 3. So may {who} "
        f"once more, up to {MAX_CARDS} cards. 4. Once, each may exchange cards for as many of the "
        f"deck, or keep all; cards given away {out[rules.discards]}. 5. Who is still in lays all "
        "cards open, and the best hand wins."
    )
    number = "" if rules.variable else f" {_exchange(rules, rules.row)} cards"
    kept = " A card that is shown may not be given away." if rules.reveal == "kept" else ""
    row = (
        any(each.revealers for each in _variants(rules)) if rules.variable else rules.row.revealers
    )
    yield (
        f"Exchange:{number or ' as the variant says'}, never more than you hold."
        f"{kept if row else ''}"
    )


def _order(rules: SabaccRules) -> Iterator[str]:
    whole = " that is the whole hand" if rules.combo_match == "exact" else ""
    suits = "numbers 1 to 11 only" if rules.suited_combo_cards == "numbered_only" else ""
    special = "the combination of the variant" if rules.variable else _combo(rules.row)
    five = ", or any 5" if rules.five_in_idiot else ""
    characters = ", or a character of that value" if rules.character_in_idiot else ""
    bomb = {
        "combo_first": "It counts whatever the total is.",
        "bomb_first": "It does not count if the total loses.",
    }
    yield "Hands, best first:"
    yield f"1. pure sabacc: a total of {PURE}"
    upset = f" {_UPSETS[rules.idiot_upset]}" if _UPSETS[rules.idiot_upset] else ""
    yield f"2. Idiot combination{whole}: an Idiot, a 2 and a 3{five}{characters}.{upset}"
    yield f"3. {special}{whole}{f' ({suits})' if suits else ''}. {bomb[rules.combo_vs_bomb]}"
    yield f"4. double sabacc: {DOUBLE}. 5. fool sabacc: {FOOL}"
    zero = ", but 0 loses" if rules.zero_total == "bust" else ""
    sizes = {
        "absolute": "negative totals count by their size",
        "below_positive": "every negative total is below every other, and counts by its size",
    }
    yield (
        f"6. the higher total: {PURE + 1} to {DOUBLE - 1} count {PURE} less; "
        f"{sizes[rules.negative_strength]}{zero}."
    )
    plus = {"positive_wins": "+15 beats -15", "tie": "+15 and -15 are equal"}
    reduced = {"tie": f"{PURE + 20} and 20 are equal", "natural_wins": f"20 beats {PURE + 20}"}
    if rules.negative_strength == "absolute":
        yield f"{plus[rules.sign_tie]}; {reduced[rules.reduced_tie]}."
    else:
        yield f"{reduced[rules.reduced_tie]}."
    yield f"A total above {DOUBLE} or below {FOOL} loses the hand."


def _ties(rules: SabaccRules) -> Iterator[str]:
    if rules.mode == "points" and rules.bonus != "winner":
        return
    each = {"chips": "share the pot", "showdown": "each win the hand", "points": "get no bonus"}
    yield (
        f"Equal best hands get an extra card each until one is best, up to {TIE_ROUNDS} times; "
        f"still equal they {each[rules.mode]}. Of equal hands the higher extra card wins."
    )
    if rules.mode == "showdown":
        yield "If all hands lose, nobody wins."


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
            f"{when} the player to decide rolls a die. 1, 3, 5: this player swaps a card for one "
            "of the deck. 2, 4, 6: a random card of every hand is taken, they are shuffled, and "
            f"each hand gets one back.{folded}"
        )
    if rules.variable:
        back = {"put_back": "It goes back.", "kept_out": "It stays out until all were drawn."}
        yield (
            f"{when} a slip with a variant is drawn, which holds from then on, for all hands. "
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


def _actions(rules: SabaccRules) -> str:
    rows = _variants(rules) if rules.variable else (rules.row,)
    shows = dict.fromkeys(f"show {name}" for row in rows for name in row.revealers)
    texts = ["draw", "pass", "exchange 1 3 (the cards at these places of your hand)", "keep"]
    if rules.mode == "chips":
        bets = {
            "staged": ("put 5",),
            "alternating": ("put 5", "put 5 and demand the exchange"),
            "poker": ("check", "call", "bet 5", "raise 5 (beyond the call)"),
        }
        texts += [*bets[rules.betting], *["all in"] * (rules.short_stack == "all_in"), "fold"]
    return f"{'; '.join([*texts, *shows])}."
