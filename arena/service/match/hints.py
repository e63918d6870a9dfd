"""Hints at a decision as tables: what each action is worth, and the chances of the next events."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from arena.core.choices import Choice
from arena.core.parts import Odds
from arena.core.table import Column, Row, Table
from arena.service.match.analysis import Analysis
from arena.service.match.odds import PositionOdds

FEW = 4
"""Outcomes of an event that are all listed."""
MATCH = "wins match"
"""Heading of the win probability of the match."""


def action_hints(odds: PositionOdds, choices: Sequence[Choice]) -> Table:
    """Returns a row for each action that is evaluated, with its odds; ``best`` marks the best.

    Of actions that differ by an amount there are two: the least, and the best of the others.
    """
    shares: dict[str, dict[str, float]] = {}
    texts = {text for choice in choices for text in _texts(choice)}
    for each in odds.odds:
        if each.event in texts:
            shares.setdefault(each.event, {})[each.outcome] = each.odds
    for action, value in odds.actions.items():
        shares.setdefault(action, {})[MATCH] = value
    heads = list(dict.fromkeys(head for found in shares.values() for head in found))
    heads.sort(key=lambda head: head != MATCH)
    rows: list[Row] = [row for each in choices for row in _rows(each, shares, heads)]
    if heads:
        best = max((row[heads[0]] for row in rows if row[heads[0]] is not None), default=None)
        rows = [{**row, "best": row[heads[0]] == best} for row in rows]
        rows.sort(key=lambda row: -(row[heads[0]] or 0))
    columns = [Column(head, head, right=True, unit="%", digits=0) for head in heads]
    return Table(
        title="What each action is worth",
        columns=(Column("action", "action"), *columns, Column("best")),
        rows=rows,
    )


def chances(odds: PositionOdds, choices: Sequence[Choice]) -> Table:
    """Returns the odds that are not about an action, a row for each event.

    Of many outcomes it has the last one, which the game takes for the most important.
    """
    texts = {text for choice in choices for text in _texts(choice)}
    found: dict[str, list[Odds]] = {}
    for each in odds.odds:
        if each.event not in texts and each.odds < 1:
            found.setdefault(each.event, []).append(each)
    shown = {event: all if len(all) <= FEW else all[-1:] for event, all in found.items()}
    rows = [
        {"event": event, "odds": ", ".join(map(_share, few))}
        for event, all in shown.items()
        if (few := [each for each in all if each.odds > 0])
    ]
    columns = Column("event", "event"), Column("odds", "odds", prose=True)
    return Table(title="The chances", columns=columns, rows=rows)


def _share(odds: Odds) -> str:
    return f"{odds.outcome}: {100 * odds.odds:.0f} %"


def hint_note(odds: PositionOdds) -> str:
    """Returns by what the hints judge, and whether they are exact; empty without hints."""
    by = f"{odds.evaluator}{f': {odds.assumption}' if odds.assumption else ''}"
    about = "approximate" if any(each.approximate for each in odds.odds) else ""
    return "; ".join(filter(None, (by if odds.evaluator else "", about)))


def mistakes_of(analysis: Analysis, seat: int) -> str:
    """Returns what a player's mistakes cost, and the worst of them, in a sentence or two."""
    skill = analysis.skill(seat)
    if not skill.evaluated:
        return ""
    if skill.worst is None:
        return "No mistakes: no move gave away much of a win."
    lost = f"{100 * skill.given_away:.0f} points of winning chance"
    count = "One mistake" if skill.mistakes == 1 else f"{skill.mistakes} mistakes"
    worst = next(each for each in analysis.decisions if each.move == skill.worst)
    return f"{count}, {lost} given away. The worst: {worst.action}, better {worst.better}."


def _texts(choice: Choice) -> list[str]:
    if choice.least is None or choice.most is None:
        return [choice.text]
    return [choice.text.format(amount) for amount in range(choice.least, choice.most + 1)]


def _rows(
    choice: Choice, shares: dict[str, dict[str, float]], heads: Sequence[str]
) -> Iterator[Row]:
    known = [text for text in _texts(choice) if text in shares]
    if len(known) > 1:  # amounts: the least, and the best
        known = list(dict.fromkeys([known[0], max(known, key=lambda text: shares[text][heads[0]])]))
    for text in known:
        words = choice.words or text
        if choice.least is not None:
            words = words.format(next(word for word in text.split() if word.isdecimal()))
        elif choice.cards:
            words = text[:1].upper() + text[1:].replace(" -", " \u2212")
        yield {"action": words, **{head: shares[text].get(head) for head in heads}}
