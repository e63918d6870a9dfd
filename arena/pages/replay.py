"""The page of one match, seen from one view: every position's board, its events, and the player.

All positions are in the page, so that looking at them asks nothing of a server, and nothing that
the view may not know is. The result and the later moves are hidden until a reader comes to them or
asks for them. Without a script one step is shown, and the others are links: in a file to anchors
(``#m17``), on a site to the page at another move (``?move=17``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike

import msgspec
from markupsafe import Markup
from msgspec import structs

from arena.core.errors import BadInput
from arena.core.parts.value import LESS_LUCK, LUCK_ADJUSTED
from arena.pages.boards import Size, draw_boards, draw_cards
from arena.pages.page import Asset, Page, file_policy
from arena.pages.probabilities import decided_by, timeline, worst
from arena.pages.steps import Shown
from arena.pages.tables import Head, Table
from arena.pages.templates import asset, render
from arena.service.match.analysis import MISTAKE, Analysis
from arena.service.match.replay_text import BY_COMMAND, LATER, ON_PAGE, outcome_lines, parts
from arena.service.match.replays import Match
from arena.service.match.transcripts import ShownDecision

STYLES, SCRIPTS = ("style.css", "board.css", "replay.css"), ("player.js",)
"""The files that the page needs, of this package's folder ``static``."""
SMALL_STYLES = ("board.css",)
"""The files of a page with small players, besides its own."""
MAX_SMALL = 30
"""Positions of a small player: it shows the last sets or hands."""
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
    (("←", "→"), "the step before, the next one"),
    (("Shift ←", "Shift →"), "the set or hand before, the next one"),
    (("Home", "End"), "the first move, the end"),
    (("Space",), "plays, and stops"),
    (("+", "−"), "faster, slower"),
    (("F",), "flips the board"),
    (("?",), "this list"),
)
"""The keys of the player, and their effects."""
VIEW_KEYS = (
    (("P",), "the view of everybody"),
    (("0", "1", "…"), "the view of a seat"),
    (("A",), "all cards open"),
)
"""The keys of a page that leads to other views."""


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


def replay_page(
    match: Match,
    view: str = "all",
    *,
    frame: Page,
    move: int = 0,
    views: Mapping[str, str] = {},
    step: str = "#m",
    analysis: Analysis | None = None,
    download: str = "",
    transcript: Sequence[ShownDecision] | None = None,
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
        download: Address of the match as a document.
        transcript: The questions to language models and their answers; ``None`` for the public.

    Raises:
        UnknownName: There is no such view.
        BadInput: The match has no such move.
        Divergence: The record does not re-execute to what it says.
    """
    shown = Shown(match, view, step, analysis)
    last = _last_move(shown, move)
    elsewhere = ON_PAGE if "all" in views else LATER
    labels, what = shown.labels, f"{shown.plain.game}, {shown.plain.ruleset}"
    steps = list(shown.steps())
    return render(
        "replay.html.jinja",
        page=_unspoiled(frame, match, what, last),
        trail=frame.trail,
        match=match,
        replay=shown.plain,
        what=what,
        ending=outcome_lines(shown.plain, match.names, elsewhere if views else BY_COMMAND),
        moments=list(zip(steps, draw_boards(shown.boards), strict=True)),
        moves=[each for each in steps if each.own],
        cards=draw_cards(shown.boards),
        start=move,
        last=last,
        views=[_view_link(name, views[name], name == view, labels) for name in views],
        keys=(*KEYS[:-1], *VIEW_KEYS, KEYS[-1]) if len(views) > 1 else KEYS,
        step=step,
        line=timeline(analysis, shown.wins, parts(shown.plain.moments), labels, last),
        labels=labels,
        values=analysis.luck.value_function if analysis else "",
        worst=worst(analysis),
        decided=decided_by(analysis, labels),
        sums=_sums(analysis, labels) if analysis else None,
        download=download,
        transcript=transcript,
    )


def _last_move(shown: Shown, move: int) -> int:
    last = max(len(shown.plain.moments) - 1, 0)
    if move and not 0 < move <= last:
        raise BadInput(f"there is no move {move}: the match has moves 0 to {last}")
    return last


def _unspoiled(frame: Page, match: Match, what: str, last: int) -> Page:
    """Returns the page around a match, with a title and a description without the result."""
    heading = " – ".join(match.names)
    return structs.replace(
        frame,
        title=f"{heading}, match {match.number}" if match.number else heading,
        description=f"{what}: {' against '.join(match.names)}, {last} moves",
        trail=(),
    )


def small_player(
    match: Match,
    view: str = "all",
    *,
    analysis: Analysis | None = None,
    size: Size = "feature",
    address: str = "",
    most: int = MAX_SMALL,
) -> Markup:
    """Draws the last sets or hands of a match as a board that plays by itself, for another page.

    The page needs ``SMALL_STYLES`` and ``SCRIPTS``. Without a script, and for a reader who wants
    no motion, the board stands still.

    Args:
        view: As for ``replay_page``; ``analysis`` also.
        size: How large the board is.
        address: Address of the page of the match; without one there is no link.
    """
    shown = Shown(match, view, "", analysis)
    steps = list(shown.steps())
    moments = len(shown.plain.moments)
    starts = [index for index, _ in parts(shown.plain.moments)]
    first = next((at for at in starts if moments - at <= most), moments - most)
    kept = [index for index, each in enumerate(steps) if each.move >= first]
    boards = [shown.boards[index] for index in kept]
    still = max((at for at, index in enumerate(kept) if not steps[index].held), default=0)
    return Markup(
        render(
            "small_player.html.jinja",
            size=size,
            cards=draw_cards(boards),
            moments=list(zip([steps[index] for index in kept], draw_boards(boards), strict=True)),
            still=max(still - 1, 0),
            heading=" – ".join(shown.labels),
            address=address,
        )
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
    return ViewLink(label, address, current, seat, f"as {label} sees it")


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
