"""The page of one match, seen from one view: every position's board, its events, and the player.

All positions are in the page, so that looking at them asks nothing of a server, and nothing that
the view may not know is. The result and the later moves are hidden until a reader comes to them or
asks for them. Without a script one step is shown, and the others are links: in a file to anchors
(``#m17``), on a site to the page at another move (``?move=17``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from os import PathLike

import msgspec
from arena_results.replays.views import Moment, Replay
from markupsafe import Markup
from msgspec import structs

from arena.core.errors import BadInput
from arena.core.outcome import RULE_ENDINGS
from arena.core.parts.value import LESS_LUCK, LUCK_ADJUSTED
from arena.core.scene import Scene
from arena.pages.boards import Board, Ending, Size, board, draw_boards, draw_cards
from arena.pages.page import Asset, Page, file_policy
from arena.pages.probabilities import decided_by, timeline, win_by_move, worst
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

STYLES, SCRIPTS = ("style.css", "board.css", "replay.css"), ("player.js",)
"""The files that the page needs, of this package's folder ``static``."""
SMALL_STYLES = ("board.css",)
"""Those of a page with small players, besides its own."""
MOST_SMALL = 30
"""Positions of a small player: it shows the last sets or hands."""
SAID = 56
"""Characters of the last events on the board."""
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


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """A position as the page shows it, or a scene that is held before it.

    Attributes:
        id: Its name on the page.
        address: Its address.
        own: Whether it is the position itself.
        held: Whether it shows what has just ended.
        part: Name of the set or hand that begins with it; empty within one.
        events: The events since the step before, a line each.
        decision: The decision; empty at the end and for a scene that is held.
        short: The decision without its value.
        name: Who takes it.
        remark: The mistake in the decision; empty if it is not one.
        table: The table as text.
        win: The win probability of each seat in percent; empty where none is known.
    """

    id: str
    move: int
    address: str
    own: bool = True
    held: bool = False
    part: str = ""
    events: tuple[str, ...] = ()
    decision: str = ""
    short: str = ""
    name: str = ""
    remark: str = ""
    table: str = ""
    win: tuple[int, ...] = ()


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

    Raises:
        UnknownName: There is no such view.
        BadInput: The match has no such move.
        Divergence: The record does not re-execute to what it says.
    """
    shown = _Shown(match, view, step, analysis)
    last = max(len(shown.plain.moments) - 1, 0)
    if move and not 0 < move <= last:
        raise BadInput(f"there is no move {move}: the match has moves 0 to {last}")
    elsewhere = ON_PAGE if "all" in views else LATER
    labels, heading = shown.labels, " – ".join(match.names)
    what = f"{shown.plain.game}, {shown.plain.ruleset}"
    page = structs.replace(
        frame,
        title=f"{heading}, match {match.number}" if match.number else heading,
        description=f"{what}: {' against '.join(match.names)}, {last} moves",
        trail=(),
    )
    steps = list(shown.steps())
    return render(
        "replay.html.jinja",
        page=page,
        trail=frame.trail,
        match=match,
        replay=shown.plain,
        what=what,
        heading=heading,
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
    )


def small_player(
    match: Match,
    view: str = "all",
    *,
    analysis: Analysis | None = None,
    size: Size = "feature",
    address: str = "",
) -> Markup:
    """Draws the last sets or hands of a match as a board that plays by itself, for another page.

    The page needs ``SMALL_STYLES`` and ``SCRIPTS``. Without a script, and for those who want no
    motion, the board stands still.

    Args:
        view: As for ``replay_page``; ``analysis`` also.
        size: How large the board is.
        address: Address of the page of the match; without one there is no link.
    """
    shown = _Shown(match, view, "", analysis)
    steps = list(shown.steps())
    moments = len(shown.plain.moments)
    starts = [index for index, _ in parts(shown.plain.moments)]
    first = next((at for at in starts if moments - at <= MOST_SMALL), moments - MOST_SMALL)
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


class _Shown:
    """The steps of a match in one view, with their boards."""

    def __init__(self, match: Match, view: str, step: str, analysis: Analysis | None) -> None:
        self.plain = match.replay(view)
        self.labels = seat_labels(match.names)
        self._told = with_analysis(self.plain, analysis) if analysis else self.plain
        self._step = step
        moments = self.plain.moments
        self.wins = win_by_move(analysis, len(moments), len(self.labels))
        self._scenes = [self._scenes_of(each) for each in moments]
        self._parts = dict(parts(moments))
        self.boards = [*chain.from_iterable(map(self._boards, range(len(moments))))]

    def _scenes_of(self, moment: Moment) -> tuple[Scene, ...]:
        """The scenes of a moment; the last one is its own, or the match that is over."""
        if moment.action is None and moment.held:
            return moment.held
        return (*moment.held, moment.scene)

    def _boards(self, index: int) -> Iterator[Board]:
        moment, scenes = self.plain.moments[index], self._scenes[index]
        last = len(self.plain.moments) - 1
        events = [name_seats(harmless(event), self.labels) for event in moment.events]
        for number, scene in enumerate(scenes):
            yield board(
                scene,
                self.labels,
                _causes(self.plain, moment),
                say=_say(events),
                at=f"move {moment.move} of {last}",
                win=self.wins[index] if self.wins and len(self.labels) == 2 else (),
                ending=self._ending(scene, index, number),
            )

    def _ending(self, scene: Scene, index: int, number: int) -> Ending | None:
        verdict = scene.verdict
        if verdict is None:
            return None
        more = number + 1 < len(self._scenes[index])
        after = self._parts.get(index, "go on") if more else ""
        return Ending(
            head=name_seats(verdict.headline, self.labels),
            reason=name_seats(harmless(verdict.reason), self.labels),
            score=verdict.score if len(self.labels) == 2 else "",
            go=self._address(index, number + 1) if more and self._step else "",
            after=after,
        )

    def _address(self, index: int, number: int) -> str:
        move = self.plain.moments[index].move
        if number == len(self._scenes[index]) - 1:
            return f"{self._step}{move}"
        return f"{'' if self._step == '#m' else f'{self._step}{move}'}#m{move}h{number}"

    def steps(self) -> Iterator[Step]:
        """Yields every step."""
        before: tuple[int, ...] = ()
        for index, (moment, bare) in enumerate(
            zip(self._told.moments, self.plain.moments, strict=True)
        ):
            yield from self._held(index)
            yield self._own(index, moment, bare, scored=index > 0 and moment.scores != before)
            before = moment.scores

    def _held(self, index: int) -> Iterator[Step]:
        move = self.plain.moments[index].move
        for number, scene in enumerate(self._scenes[index][:-1]):
            verdict = name_seats(harmless(str(scene.verdict)), self.labels)
            yield Step(
                id=f"m{move}h{number}",
                move=move,
                address=self._address(index, number),
                own=False,
                held=True,
                events=(verdict,),
                table=name_seats(self.plain.moments[max(index - 1, 0)].table, self.labels),
                win=self._percents(index),
            )

    def _own(self, index: int, moment: Moment, bare: Moment, *, scored: bool) -> Step:
        decision, _, remark = (moment.action or "").partition("\n")
        name = "" if moment.seat is None else self.labels[moment.seat]
        verdict = self._scenes[index][-1].verdict
        events = [name_seats(harmless(event), self.labels) for event in moment.events]
        if scored:
            events.append(f"the score is {score_text(moment.scores)}")
        if verdict:
            events.append(name_seats(harmless(str(verdict)), self.labels))
        return Step(
            id=f"m{moment.move}",
            move=moment.move,
            address=f"{self._step}{moment.move}",
            held=verdict is not None,
            part=self._parts.get(index, ""),
            events=tuple(events),
            decision=f"{name}: {decision}" if name else "",
            short=bare.action or "",
            name=name,
            remark=remark.strip(),
            table=name_seats(moment.table, self.labels),
            win=self._percents(index),
        )

    def _percents(self, index: int) -> tuple[int, ...]:
        if not self.wins:
            return ()
        return tuple([round(100 * min(max(each, 0.0), 1.0)) for each in self.wins[index]])


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


def _say(events: Sequence[str]) -> str:
    """Returns the last event, with the one before it where both are short."""
    both = ", ".join(events[-2:])
    return both if len(both) <= SAID else ", ".join(events[-1:])


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


def _causes(replay: Replay, moment: Moment) -> dict[int, str]:
    ending = replay.ending
    causes = {
        out.seat: f"taken out: {out.cause}" for out in ending.expelled if out.move <= moment.move
    }
    broken = ending.offender is not None and ending.termination not in RULE_ENDINGS
    if broken and ending.offender is not None and moment is replay.moments[-1]:
        causes[ending.offender] = f"out: {ending.termination}"
    return causes
