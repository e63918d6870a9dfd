"""A bot for both games in plain Python: no SDK, only the protocol (docs/reference/protocol.md).

It stands on 18 or better in Pazaak, and wants 18 or better of its hand in Sabacc. It looks at
nothing but the observation, so that any number of matches can go on at once; a bot that remembers
things keeps them by the message's ``match``.
"""

from __future__ import annotations

import json
import sys
from itertools import product
from typing import Any

GOOD = 18
POOR = 6
AVERAGE = 7
RANKS = {"Commander": 12, "Mistress": 13, "Master": 14, "Ace": 15}
CHARACTERS = {  # by the rules of the Old Republic; other variants have other values
    "Idiot": 0,
    "Rancor": 9,
    "Jedi Knight": 3,
    "Jedi Master": 3,
    "Dark Jedi": -14,
    "Lord of the Sith": 10,
    "Smuggler": 10,
    "Bounty Hunter": 9,
}


def main() -> None:
    """Answers line after line until the harness closes stdin."""
    game = ""
    for line in sys.stdin.buffer:
        message = json.loads(line)
        if message["type"] == "hello":
            game = message["game"]
            say({"protocol": 1, "name": "no-sdk", "games": ["pazaak", "sabacc"], "batch": 64})
        elif message["type"] == "start":
            say({"id": message["id"], "loadout": side_deck(message["offer"])})
        elif message["type"] == "decide":
            choose = pazaak if game == "pazaak" else sabacc
            say({"id": message["id"], "action": choose(message["observation"])})


def say(answer: dict[str, Any]) -> None:
    """Sends an answer at once: the harness waits for it."""
    sys.stdout.buffer.write(json.dumps(answer, ensure_ascii=False).encode() + b"\n")
    sys.stdout.flush()


def side_deck(offer: dict[str, Any] | None) -> str | None:
    """Ten different cards for Pazaak, those of either sign first; nothing takes the default."""
    if not offer:
        return None
    kinds = sorted(dict.fromkeys(offer["catalogue"]), key=lambda card: not card.startswith("±"))
    size = offer["sizes"][0]
    return " ".join(kinds[:size]) if len(kinds) >= size else None


def pazaak(seen: dict[str, Any]) -> str:
    """A hand card that makes a good total, else stand on a good total, else end the turn."""
    total, legal = seen["total"], seen["legal_actions"]
    good = min(seen["rival_total"] + 1, 20) if seen["rival_standing"] else GOOD
    if not good <= total <= 20:
        for text in sorted(legal, key=value_of, reverse=True):
            after = total + value_of(text)
            if text.startswith("play") and after <= 20 and (after >= good or total > 20):
                return str(text)
    return "stand" if good <= total <= 20 else "end turn"


def value_of(action: str) -> int:
    """The number that a card adds, at the end of ``play +3`` and ``play ±4 as -4``; else 0."""
    last = action.split()[-1]
    return int(last) if last[0] in "+-" else 0


def sabacc(seen: dict[str, Any]) -> str:
    """Improves a weak hand, folds a poor one where staying costs, and bets the least."""
    hand, legal = seen["hand"], seen["legal_actions"]
    worth = strength(hand)
    exchanges = [text for text in legal if text == "keep" or text.startswith("exchange")]
    if exchanges:
        return "keep" if worth >= GOOD and "keep" in legal else nearest(hand, exchanges)
    if "draw" in legal and worth < GOOD:
        return "draw"
    for free in ("pass", "check"):
        if free in legal:
            return free
    if worth >= POOR:
        for word in ("call", "put", "all in"):  # the least stake is listed first
            for text in legal:
                if text.startswith(word):
                    return str(text)
    return "fold" if "fold" in legal else str(legal[0])


def nearest(hand: list[str], exchanges: list[str]) -> str:
    """The exchange that comes nearest to 23 if average cards come for those given away."""

    def distance(text: str) -> int:
        given = {int(word) for word in text.split()[1:]}
        kept = [value for place, value in enumerate(map(printed, hand), 1) if place not in given]
        return abs(23 - sum(kept) - AVERAGE * len(given))

    return min(exchanges, key=distance)


def strength(hand: list[str]) -> int:
    """0 to 23; a five is any of 1 to 11 or -1 to -11, whatever is best."""
    wild = [*range(1, 12), *range(-11, 0)]
    choices = [wild if printed(card) == 5 else [printed(card)] for card in hand]
    return max(worth_of(sum(values)) for values in product(*choices))


def worth_of(total: int) -> int:
    """The worth of a total: 23 for a sabacc, 0 for a hand that loses."""
    if total in (23, 46, -23):
        return 23
    if 0 <= total <= 45:
        return total % 23
    return -total if -23 < total < 0 else 0


def printed(card: str) -> int:
    """The value of ``7 of Coins``, ``Ace of Sabers``, ``Jedi Master``."""
    if card in CHARACTERS:
        return CHARACTERS[card]
    rank = card.split()[0]
    return RANKS[rank] if rank in RANKS else int(rank)


if __name__ == "__main__":
    main()
