"""Strings about replays: names in place of seats, parts of a match, its end, luck and mistakes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from textwrap import indent

from arena_results.replays.views import Moment, Replay, ShownOutcome
from msgspec import Struct, structs

from arena.core.outcome import Outcome
from arena.core.scene import Scene, split_events
from arena.service.match.analysis import Analysis, Decision
from arena.service.match.luck import MatchLuck

MAX_LABEL_LENGTH = 20
"""Characters of a name next to the cards."""
_SEAT = re.compile(r"(?P<lead>^[ >]*)?seat (?P<seat>\d+)(?P<gap>(?<!^)  +)?", re.MULTILINE)
_PART = re.compile(r"\s*(?!seat )([^\W\d_]+ \d+)", re.IGNORECASE)
"""The part of a match as the first words of its table: ``Set 2``, ``Hand 3``; no seat."""


def seat_labels(names: Sequence[str]) -> list[str]:
    """Returns short names of the seats for the table; equal ones have their seats."""
    cut = [
        name if len(name) <= MAX_LABEL_LENGTH else f"{name[: MAX_LABEL_LENGTH - 3]}..."
        for name in names
    ]
    return [
        name if cut.count(name) == 1 else f"{name} (seat {seat})" for seat, name in enumerate(cut)
    ]


def name_seats(text: str, labels: Sequence[str]) -> str:
    """Returns a text with names for ``seat N``; columns that follow stay below each other."""
    width = max(map(len, labels))

    def label(found: re.Match[str]) -> str:
        lead, seat, gap = found["lead"] or "", int(found["seat"]), found["gap"] or ""
        if seat >= len(labels):
            return found[0]
        return f"{lead}{labels[seat]:{width if gap else 0}}{gap}"

    return _SEAT.sub(label, text)


_SAID = re.compile(r"seat (?P<seat>\d+)(?P<own>'s)?(?P<colon>:)?(?: (?P<verb>[a-z]+)\b)?")
_EVENT = re.compile(r"seat (?P<seat>\d+): (?P<what>.+)")
_NEXT_VERB = re.compile(r"(\band |: )([a-z]+s)\b")
_SECOND = {"is": "are", "was": "were", "has": "have", "does": "do", "goes": "go"}
_NO_VERBS = ("as", "its", "this")


def told(text: str, labels: Sequence[str], you: int | None = None) -> str:
    """Returns an event, or a verdict, as a sentence with names: ``"ann draws 6"``.

    Args:
        labels: The names of the seats.
        you: The reader's own seat: ``"You draw 6"``.
    """

    def named(found: re.Match[str]) -> str:
        seat, verb = int(found["seat"]), found["verb"] or ""
        if seat >= len(labels):
            return found[0]
        own = seat == you
        name = ("You" if found.start() == 0 else "you") if own else labels[seat]
        if found["own"]:
            name = f"{name}r" if own else f"{name}'s"
        elif own:
            verb = _second_person(verb)
        elif found["colon"]:
            verb = _third_person(verb)
        return f"{name} {verb}" if verb else name

    sentence = _SAID.sub(named, text)
    if sentence.startswith("You "):
        sentence = _NEXT_VERB.sub(lambda also: also[1] + _second_person(also[2]), sentence)
    return sentence


def _second_person(verb: str) -> str:
    """``draws`` as ``draw``; other words unchanged."""
    if verb in _SECOND:
        return _SECOND[verb]
    if verb in _NO_VERBS or not verb.endswith("s") or verb.endswith("ss"):
        return verb
    if verb.endswith("ies"):
        return f"{verb[:-3]}y"
    return verb[:-2] if verb.endswith(("sses", "shes", "ches", "xes", "zzes")) else verb[:-1]


def _third_person(verb: str) -> str:
    """``end`` as ``ends``: actions are written as they are said to a seat."""
    if not verb or (verb.endswith("s") and not verb.endswith("ss")):
        return verb
    return f"{verb}es" if verb.endswith(("ss", "sh", "ch", "x", "zz")) else f"{verb}s"


def voice(
    events: Sequence[str], scene: Scene | None, labels: Sequence[str], you: int | None = None
) -> str:
    """Returns what happened last, in one line: ``"ann draws 5 and has 14"``.

    Args:
        events: The events since the last decision.
        scene: The table after them: what a seat has in large is told with its event.
        labels: The names of the seats.
        you: The reader's own seat: ``"You draw 6 and have 18"``.
    """
    if not events:
        return ""
    found = _EVENT.fullmatch(events[-1])
    if not found:
        return told(events[-1], labels, you)
    seats = _who(events, found["what"])
    if len(seats) > 1:
        every = scene is not None and set(seats) == set(scene.seats)
        who = "all" if every else told(_listed([f"seat {seat}" for seat in seats]), labels, you)
        verb, _, rest = found["what"].partition(" ")
        return f"{who} {_second_person(verb)} {rest}".rstrip()
    large = [
        f" and {'have' if fact.seat == you else 'has'} {fact.value}"
        for fact in (scene.facts if scene else ())
        if fact.seat == int(found["seat"]) and fact.role == "large"
    ]
    return told(events[-1], labels, you) + "".join(large[:1])


class Said(Struct, frozen=True):
    """The lines that are told with a scene.

    Attributes:
        events: The events before it, since the scene before.
        line: The last of them, in one line.
    """

    events: tuple[str, ...] = ()
    line: str = ""


def said_with(
    events: Sequence[str],
    held: Sequence[Scene],
    scene: Scene | None,
    labels: Sequence[str],
    seat: int,
) -> list[Said]:
    """Returns the lines of each scene that stops the match, and then of the last scene."""
    return [
        Said(
            events=tuple([told(each, labels, seat) for each in some]),
            line=voice(some, shown, labels, seat),
        )
        for some, shown in zip(split_events(events, held), (*held, scene), strict=True)
    ]


def _who(events: Sequence[str], what: str) -> list[int]:
    """The seats that did the same at the end of these events, in order."""
    seats: list[int] = []
    for event in reversed(events):
        found = _EVENT.fullmatch(event)
        if not found or found["what"] != what or int(found["seat"]) in seats:
            break
        seats.insert(0, int(found["seat"]))
    return seats


def _listed(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}"


def parts(moments: Sequence[Moment]) -> list[tuple[int, str]]:
    """Returns the sets or hands of a match: the index of the first position of each, and its name.

    A game whose tables have no such headings has none.
    """
    found: list[tuple[int, str]] = []
    for index, moment in enumerate(moments):
        part = _PART.match(moment.table)
        if part and (not found or found[-1][1] != part[1]):
            found.append((index, part[1]))
    return found


BY_COMMAND, ON_PAGE = "see it with --view all", "see it in the view of all cards"
LATER = "it is shown once the tournament is finished"
"""The way to a reason that a view leaves out: by a command, on a site, and where it is not yet."""


def outcome_lines(replay: Replay, players: Sequence[str], where: str = BY_COMMAND) -> list[str]:
    """Returns the ending and its cause; after faults the offenders and their own tracebacks.

    Args:
        where: The way to a reason that the view leaves out.
    """
    ending = replay.ending
    names = [f"{player} (seat {seat})" for seat, player in enumerate(players)]
    best = max(ending.returns)
    winners = [name for name, gain in zip(names, ending.returns, strict=True) if gain == best]
    result = f"won by {' and '.join(winners)}" if len(winners) < len(names) else "drawn"
    lines = [f"The end: {result}, {score_text(ending.scores)}; cause: {ending.termination}"]
    table = len(names) > 2
    if table:
        lines += _places(ending, names)
    for out in ending.expelled:
        who = f"seat {out.seat} ({players[out.seat]})"
        lines.append(f"  {who} was taken out at move {out.move}: {out.cause}")
        lines += _reason(out.reason, where)
    if ending.offender is not None:
        verb = "ended" if table else "lost"
        lines.append(f"  {verb} by {names[ending.offender]} at move {ending.move}")
        lines += _reason(ending.reason, where)
    elif ending.reason is not None:
        lines += _reason(ending.reason, where)
    if ending.error is not None and ending.error not in _reasons(ending):
        owner = "their" if len(_reasons(ending)) > 1 else "its"
        lines += [f"  {owner} error output:", indent(harmless(ending.error.rstrip()), "    ")]
    return lines


def _places(ending: ShownOutcome, names: Sequence[str]) -> list[str]:
    order = sorted(range(len(names)), key=lambda seat: -ending.returns[seat])
    return [
        f"  {1 + sum(gain > ending.returns[seat] for gain in ending.returns)}. {names[seat]}: "
        f"{ending.scores[seat]}"
        for seat in order
    ]


def _reasons(ending: ShownOutcome) -> list[str | None]:
    """The reason of each fault; the one that ended the match comes last."""
    last = [] if ending.offender is None else [ending.reason]
    return [*(out.reason for out in ending.expelled), *last]


def _reason(reason: str | None, where: str) -> list[str]:
    if reason is None:
        return [f"  (what it did may show its hidden cards; {where})"]
    return [f"  reason: {harmless(reason)}"]


def result_of_seat(outcome: Outcome, seat: int) -> str:
    """Returns the result of a match for one player, with the scores."""
    own, best = outcome.returns[seat], max(outcome.returns)
    alone = outcome.returns.count(best) == 1
    word = "You have lost" if own < best else "You have won" if alone else "A draw"
    return f"{word}, {score_text(outcome.scores)}"


def score_text(scores: Sequence[int]) -> str:
    """Returns the game's own amounts, seat after seat."""
    return " : ".join(map(str, scores))


def harmless(text: str) -> str:
    """Returns a bot's text without what would steer the reader's terminal."""
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() or char in "\n\t" else char.encode("unicode_escape").decode()
        for char in text
    )


def with_luck(replay: Replay, luck: MatchLuck, *, values: bool = False) -> Replay:
    """Returns the replay with the luck (and the values) at the end of each chance event's line."""
    found = {
        (event.move, event.line): _gained(event.luck)
        + (f"; value {value_text(event.value)}" if values else "")
        for event in luck.events
    }
    moments = [
        structs.replace(
            moment,
            events=tuple(
                [
                    f"{text} ({found[moment.move, line]})" if (moment.move, line) in found else text
                    for line, text in enumerate(moment.events)
                ]
            ),
        )
        for moment in replay.moments
    ]
    return structs.replace(replay, moments=tuple(moments))


def _gained(luck: Sequence[float]) -> str:
    """Returns the luck of an event: with two seats, the lucky one's."""
    seats = range(len(luck)) if len(luck) > 2 else [int(luck[1] > luck[0])]
    return ", ".join(f"{luck[seat]:+.3f} for seat {seat}" for seat in seats)


def value_text(value: Sequence[float]) -> str:
    """Returns the win probability of each seat."""
    return " : ".join(f"{each:.2f}" for each in value)


def with_analysis(replay: Replay, analysis: Analysis) -> Replay:
    """Returns the replay with win probabilities after cards and decisions, and the mistakes."""
    decisions = {each.move: each for each in analysis.decisions}
    replay = with_luck(replay, analysis.luck, values=True)
    moments = tuple(
        [
            _decided(moment, decisions[moment.move], analysis)
            if moment.action is not None
            else moment
            for moment in replay.moments
        ]
    )
    return structs.replace(replay, moments=moments)


def judged_by(analysis: Analysis) -> str:
    """Returns by what decisions are judged, if that is not what the win probabilities are by."""
    other = analysis.evaluator != analysis.luck.value_function
    return f" by what it knew ({analysis.evaluator})" if other else ""


def _decided(moment: Moment, decision: Decision, analysis: Analysis) -> Moment:
    text = f"{moment.action} (value {value_text(decision.value)})"
    if decision.is_mistake(analysis.threshold):
        given = f"{decision.given_away:.3f}{judged_by(analysis)}"
        text += f"\n    gives away {given}; better: {decision.better}"
    return structs.replace(moment, action=text)
