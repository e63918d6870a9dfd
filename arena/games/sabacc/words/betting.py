"""The rules of a pot of Sabacc, as plain text: the three ways to bet, and the winners of chips."""

from __future__ import annotations

from collections.abc import Iterator

from arena.games.sabacc.cards.rulesets import SabaccRules

_ALL_BOMB = {
    "carry_over": "waits for the next hand's winner; in the last hand it is split",
    "split": "is split among those who laid down",
    "refund": "goes back to those who put it",
}


def betting_text(rules: SabaccRules) -> Iterator[str]:
    """Yields the rules of chips (rule book sections 7 and 11, I11, B13 to B15)."""
    yield f"Chips: {rules.ante} to enter a hand, which is the first stake. {_way(rules)}"
    cap = f"No put is above {rules.cap}." if rules.cap else ""
    if rules.betting == "poker":
        cap = f"No bet or raise is above {rules.cap}." if rules.cap else ""
    short = {
        "fold": "Who cannot put as much as is needed must fold.",
        "all_in": "Who has less than is needed may go all in, and can win as much from each other "
        "player as it put itself.",
    }
    yield f"{cap} {short[rules.short_stack]}".strip()
    yield (
        "You may fold at any decision; your chips stay in the pot. The last player left takes the "
        f"pot without showing. Otherwise the best hand takes it. If all hands lose, the pot "
        f"{_ALL_BOMB[rules.all_bomb]}."
    )


def _way(rules: SabaccRules) -> str:
    times = f"{rules.max_raises} time{'s' * (rules.max_raises > 1)}"
    if rules.betting == "staged":
        return (
            "After the deal, after each draw round in which somebody drew, and after the exchange "
            "everybody in turn puts chips, at least as many as the last put, or folds. Then this "
            f"goes on round by round until a round brings no higher put, {times} at most. Every "
            "put is new chips; nothing is topped up."
        )
    if rules.betting == "alternating":
        return (
            "After both draw rounds everybody in turn puts chips, at least as many as the last "
            "put, or folds, round by round until a round brings no higher put. Once in the hand "
            "somebody may put and demand the exchange, which comes at once; else there is none."
        )
    return (
        "After the deal, after each draw round in which somebody drew, and after the exchange "
        "there is a round of betting: check, bet, call, raise or fold. A bet is at least "
        f"{rules.ante}, and a raise at least the last bet or raise. A round may be raised {times} "
        "at most."
    )
