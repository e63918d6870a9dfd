"""The rules of a pot of Sabacc, as plain text: the three ways to bet, and the winners of chips."""

from __future__ import annotations

from collections.abc import Iterator

from arena.games.sabacc.cards.rulesets import SabaccRules

_ALL_BOMB = {
    "carry_over": "waits for the next hand's winner, and is split in the last hand",
    "split": "is split among those who laid down",
    "refund": "goes back to those who put it",
}
_WHEN = (
    "After the deal, after each draw round in which anybody drew, and after the exchange {there}"
)
_AT_LEAST = "puts chips, at least the last put (put 5),"


def betting_text(rules: SabaccRules) -> Iterator[str]:
    """Yields the rules of chips (rule book sections 7 and 11, I11, B13 to B15)."""
    yield f"Chips: {rules.ante} to enter a hand, the first stake. {_way(rules)}"
    cap = "bet or raise" if rules.betting == "poker" else "put"
    most = f"No {cap} is above {rules.cap}. " if rules.cap else ""
    short = {
        "fold": "Who cannot put enough must fold.",
        "all_in": "Who has too few may go all in, and wins as much from each other player as it "
        "put itself.",
    }
    yield (
        f"{most}{short[rules.short_stack]} You may fold at any decision. The last player left "
        "takes the pot unseen, else the best hand. If all lose, the pot "
        f"{_ALL_BOMB[rules.all_bomb]}."
    )


def _way(rules: SabaccRules) -> str:
    times = f"{rules.max_raises} time{'s' * (rules.max_raises > 1)}"
    if rules.betting == "staged":
        everybody = f"everybody in turn {_AT_LEAST} or folds."
        return (
            f"{_WHEN.format(there=everybody)} At the end again, {times} at most, until a round "
            "brings no higher put. All puts are new chips; nothing is topped up."
        )
    if rules.betting == "alternating":
        return (
            f"After both draw rounds everybody in turn {_AT_LEAST} or folds, round by round until "
            "a round brings no higher put. Once in the hand somebody may put 5 and demand the "
            "exchange, which comes at once; else there is none."
        )
    return (
        f"{_WHEN.format(there='a round of betting')}: check, bet 5, call, raise 5 (beyond the "
        f"call) or fold. A bet is at least {rules.ante}, a raise at least the last bet or raise; "
        f"{times} a round at most."
    )
