"""Makes the static report of a tournament: the files of a folder, or one file with everything.

A report opens from a file: its links are relative, and it asks nothing of anybody. Equal results
make equal bytes.
"""

from __future__ import annotations

from collections.abc import Iterator

from arena.core.table import Column, Row
from arena.pages.page import Asset, Link, Page, file_policy
from arena.pages.replay import SCRIPTS, STYLES, replay_page
from arena.pages.templates import asset
from arena.pages.tournament import MatchText, summary_text, tournament_page, tournament_title
from arena.service.match.replay_text import harmless, name_seats, outcome_lines, seat_labels
from arena.service.match.replays import Match
from arena.service.public.static_report import Contents

INDEX, FOLDER = "index.html", "replays"
OWN_STYLES = (STYLES[0], "event.css")
"""Style sheets of the page of the tournament."""
PARTS = (INDEX, FOLDER, *dict.fromkeys((*OWN_STYLES, *STYLES)), *SCRIPTS)
"""The names of everything that the folder of a report holds."""


def report_files(contents: Contents) -> Iterator[tuple[str, str]]:
    """Yields the files of a report: relative name and text."""
    for name in PARTS[2:]:
        yield name, asset(name)
    replayed = {match.number for match in contents.replays}

    def address(column: Column, row: Row) -> str:
        if column.names != "match" or row["match"] not in replayed:
            return ""
        fragment = "" if row["move"] is None else f"#m{row['move']}"
        return f"{FOLDER}/{row['match']}.html{fragment}"

    about = contents.overview.report
    styles = tuple([Asset(address=name) for name in OWN_STYLES])
    page = _page(contents, styles)
    yield INDEX, tournament_page(page, contents.overview, address, contents.asked)
    for match in contents.replays:
        yield f"{FOLDER}/{match.number}.html", _replay(match, contents, tournament_title(about))


def single_report(contents: Contents) -> str:
    """Returns a report as one page, in which matches are text."""
    replayed = {match.number for match in contents.replays}

    def address(column: Column, row: Row) -> str:
        named = column.names == "match" and row["match"] in replayed
        return f"#match-{row['match']}" if named else ""

    page = _page(contents, tuple([Asset(text=asset(name)) for name in OWN_STYLES]))
    texts = [
        MatchText(
            anchor=f"match-{match.number}",
            title=f"{match.number}: {' – '.join(match.names)}",
            text=_match_text(match, contents.view),
        )
        for match in contents.replays
    ]
    return tournament_page(page, contents.overview, address, contents.asked, texts)


def _page(contents: Contents, styles: tuple[Asset, ...]) -> Page:
    return Page(
        title=tournament_title(contents.overview.report),
        description=summary_text(contents.overview),
        styles=styles,
        policy=file_policy(styles, ()),
    )


def _replay(match: Match, contents: Contents, title: str) -> str:
    styles, scripts = (
        tuple([Asset(address=f"../{name}") for name in names]) for names in (STYLES, SCRIPTS)
    )
    frame = Page(
        title="",
        home=f"../{INDEX}",
        trail=(Link(title, f"../{INDEX}"), Link(f"Match {match.number}")),
        styles=styles,
        scripts=scripts,
        policy=file_policy(styles, scripts),
    )
    return replay_page(
        match,
        contents.view,
        frame=frame,
        analysis=match.known_analysis(contents.view, learned=False),
    )


def _match_text(match: Match, view: str) -> str:
    replay, labels = match.replay(view), seat_labels(match.names)
    lines = []
    for moment in replay.moments:
        lines += [f"Move {moment.move}", *map(harmless, moment.events), moment.table]
        if moment.seat is not None:
            lines.append(f"seat {moment.seat}: {moment.action}")
        lines.append("")
    return name_seats("\n".join([*lines, *outcome_lines(replay, match.names)]), labels)
