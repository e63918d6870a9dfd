"""The page of one match, seen from one view: every position's board, its events, and the player.

All positions are in the page, so that looking at them asks nothing of a server, and nothing that
the view may not know is. Without a script one moment is shown, and the others are links: in a file
to anchors (``#m17``), on a site to the page at another move (``?move=17``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from os import PathLike

import msgspec
from arena_results.replays.views import Moment, Replay
from markupsafe import Markup
from msgspec import structs

from arena.core.errors import BadInput
from arena.core.outcome import RULE_ENDINGS
from arena.core.parts.value import LESS_LUCK, LUCK_ADJUSTED
from arena.pages.boards import board, different, draw_boards
from arena.pages.page import Asset, Page, file_policy
from arena.pages.probabilities import Graph, graph
from arena.pages.tables import Head, Table
from arena.pages.templates import asset, render
from arena.service.match.analysis import MISTAKE, Analysis
from arena.service.match.replay_text import (
    BY_COMMAND,
    LATER,
    ON_PAGE,
    harmless,
    name_seats,
    outcome_lines,
    parts,
    score_text,
    seat_labels,
    with_analysis,
)
from arena.service.match.replays import Match

STYLES, SCRIPTS = ("style.css", "board.css"), ("player.js",)
"""The files that the page needs, of this package's folder ``static``."""


GIVEN_AWAY = "win probability, by what the player knew"
"""The measure of mistakes."""
SUMS = (
    Head(key="name", head="player", row=True),
    Head(key="score", head="score", right=True),
    Head(key="luck", head="luck", right=True),
    Head(key="adjusted", head=LUCK_ADJUSTED, hint=LESS_LUCK, right=True),
    Head(key="mistakes", head="mistakes, of decisions", right=True),
    Head(key="given_away", head="given away", hint=GIVEN_AWAY, right=True),
)


KEYS = (
    (("←", "→"), "the move before, the next one"),
    (("Shift ←", "Shift →"), "the set or hand before, the next one"),
    (("Home", "End"), "the first move, the end"),
    (("Space",), "plays, and stops"),
    (("+", "−"), "faster, slower"),
    (("F",), "flips the board"),
    (("?",), "this list"),
)
"""The keys of the player, and what they do."""
VIEW_KEYS = (
    (("P",), "the view of everybody"),
    (("0", "1", "…"), "the view of a seat"),
    (("A",), "all cards open"),
)
"""Those of a page that leads to other views."""


class ViewLink(msgspec.Struct, frozen=True):
    """A link to another view of the match.

    Attributes:
        key: The key that follows it.
        title: What the view shows.
    """

    name: str
    address: str
    current: bool
    key: str
    title: str


class Shown(msgspec.Struct, frozen=True, kw_only=True):
    """A position as the page shows it.

    Attributes:
        part: Name of the set or hand that begins with it; empty within one.
        events: The events since the position before, a line each.
        decision: The decision; empty at the end.
        short: The decision without its value.
        remark: The mistake in the decision; empty if it is not one.
        table: The table as text.
    """

    move: int
    part: str
    events: tuple[str, ...]
    score: str
    decision: str
    short: str
    remark: str
    board: Markup
    table: str


def replay_page(
    match: Match,
    view: str = "all",
    *,
    frame: Page,
    move: int = 0,
    views: Mapping[str, str] = {},
    step: str = "#m",
    analysis: Analysis | None = None,
) -> str:
    """Draws the page of a match as HTML.

    Args:
        view: ``"public"``, ``"seat0"``, ``"seat1"``, ... or ``"all"``.
        frame: The page around it, with ``STYLES`` and ``SCRIPTS``; title and description are set.
        move: The move that is shown first.
        views: Addresses of pages of other views, by view.
        step: How the address of a move on this page begins: ``"#m"`` in a file,
            ``"?view=seat0&move="`` of a server. The player keeps the move in the address also.
        analysis: Its win probabilities and mistakes as that view knows them, where there are any.

    Raises:
        UnknownName: There is no such view.
        BadInput: The match has no such move.
        Divergence: The record does not re-execute to what it says.
    """
    plain = match.replay(view)
    labels = seat_labels(match.names)
    replay = with_analysis(plain, analysis) if analysis else plain
    boards = [board(each.scene, labels, _causes(plain, each)) for each in plain.moments]
    if move and not 0 < move < len(boards):
        last = max(len(boards) - 1, 0)
        raise BadInput(f"there is no move {move}: the match has moves 0 to {last}")
    elsewhere = ON_PAGE if "all" in views else LATER
    ending = outcome_lines(plain, match.names, elsewhere if views else BY_COMMAND)
    title = " – ".join(match.names)
    if match.number:
        title += f", match {match.number}"
    page = structs.replace(frame, title=title, description=ending[0])
    return render(
        "replay.html.jinja",
        page=page,
        match=match,
        replay=replay,
        heading=" – ".join(match.names),
        score=score_text(replay.ending.scores),
        ending=ending,
        moments=list(_shown(replay, plain, labels, draw_boards(boards))),
        cards=different(card for each in boards for card in each.cards),
        start=move,
        views=[_view_link(name, views[name], name == view, labels) for name in views],
        keys=(*KEYS[:-1], *VIEW_KEYS, KEYS[-1]) if len(views) > 1 else KEYS,
        step=step,
        graph=_graph(analysis, replay, labels),
        labels=labels,
        values=analysis.luck.value_function if analysis else "",
        sums=_sums(analysis, labels) if analysis else None,
    )


def single_replay_page(
    match: Match,
    view: str = "all",
    *,
    move: int = 0,
    mistakes: float = MISTAKE,
    value_function: str | PathLike[str] | None = None,
) -> str:
    """Draws the page of a match as one file: it asks nothing of anybody.

    Args:
        mistakes: Win probability that a mistake gives away at least.
        value_function: The file of a learned one, instead of the game's.

    Raises:
        UnknownName: As ``replay_page``.
        BadInput: As ``replay_page``; or of the value function, as ``Match.analysis``.
        Divergence: As ``replay_page``.
    """
    analysis = match.known_analysis(view, mistakes, value_function)
    styles = tuple([Asset(text=asset(name)) for name in STYLES])
    scripts = tuple([Asset(text=asset(name)) for name in SCRIPTS])
    policy = file_policy(styles, scripts)
    frame = Page(title="", styles=styles, scripts=scripts, policy=policy)
    return replay_page(match, view, frame=frame, move=move, analysis=analysis)


def _view_link(name: str, address: str, current: bool, labels: Sequence[str]) -> ViewLink:
    seat = name.removeprefix("seat")
    if seat == name:
        text, title = {
            "all": ("all cards", "all cards open"),
            "public": ("public", "as everybody sees it"),
        }[name]
        return ViewLink(text, address, current, name[0], title)
    label = labels[int(seat)]
    text = f"seat {seat}: {label.removesuffix(f' (seat {seat})')}"
    return ViewLink(text, address, current, seat, f"as {label} sees it")


def _graph(analysis: Analysis | None, replay: Replay, names: Sequence[str]) -> Graph | None:
    return graph(analysis, len(replay.moments), names) if analysis and replay.moments else None


def _sums(analysis: Analysis, labels: Sequence[str]) -> Table:
    luck, rows = analysis.luck, []
    for seat, label in enumerate(labels):
        skill = analysis.skill(seat)
        rows.append(
            {
                "name": label,
                "score": f"{luck.scores[seat]:.2f}",
                "luck": f"{luck.luck[seat]:+.2f}",
                "adjusted": f"{luck.adjusted[seat]:.2f}",
                "mistakes": f"{skill.mistakes} of {skill.evaluated}" if skill.evaluated else None,
                "given_away": f"{skill.given_away:.2f}" if skill.evaluated else None,
            }
        )
    return Table(caption="Luck and mistakes of each player", columns=SUMS, rows=rows)


def _shown(
    replay: Replay, plain: Replay, labels: Sequence[str], drawn: Sequence[Markup]
) -> Iterator[Shown]:
    """Yields every position.

    Args:
        replay: With win probabilities, where they are known.
        plain: Without.
        drawn: The boards.
    """
    starts = dict(parts(plain.moments))
    before = plain.moments[0].scores if plain.moments else ()
    for index, (moment, bare) in enumerate(zip(replay.moments, plain.moments, strict=True)):
        decision, _, remark = (moment.action or "").partition("\n")
        seat = moment.seat
        yield Shown(
            move=moment.move,
            part=starts.get(index, ""),
            events=tuple([name_seats(harmless(event), labels) for event in moment.events]),
            score=score_text(moment.scores) if moment.scores != before else "",
            decision=f"{labels[seat]}: {decision}" if seat is not None else "",
            short=f"{labels[seat]}: {bare.action}" if seat is not None else "",
            remark=remark.strip(),
            board=drawn[index],
            table=name_seats(moment.table, labels),
        )
        before = moment.scores


def _causes(replay: Replay, moment: Moment) -> dict[int, str]:
    ending = replay.ending
    causes = {
        out.seat: f"taken out: {out.cause}" for out in ending.expelled if out.move <= moment.move
    }
    broken = ending.offender is not None and ending.termination not in RULE_ENDINGS
    if broken and ending.offender is not None and moment is replay.moments[-1]:
        causes[ending.offender] = f"out: {ending.termination}"
    return causes
