"""Pictures of what is stored: values first, then SVG or PNG."""

from __future__ import annotations

from os import PathLike
from pathlib import Path

from arena_results.boards.leaderboard import Asked
from arena_results.store.queries import tournament as stored_tournament

from arena.api.common.calls import address, public
from arena.plugins.registry import Registry
from arena.service.answers.arguments import wrong
from arena.service.answers.rows import Document
from arena.service.boards.kept import Boards
from arena.service.boards.progress import progress as versions_of
from arena.service.charts import pictures
from arena.service.charts.charts import Chart, chart_document, read_chart
from arena.service.charts.figures import figure, write_figure
from arena.service.match.analysis import MISTAKE
from arena.service.match.replays import Match
from arena.service.report.report import stored_report
from arena.service.storage.databases import open_database

File = str | PathLike[str]


class Picture:
    """A picture: its values, and itself as SVG or PNG by matplotlib (the extra ``plots``).

    Notebooks show it. Methods that draw raise ``BadInput`` where matplotlib is missing.

    Args:
        chart: What it is drawn from.
    """

    def __init__(self, chart: Chart) -> None:
        self._chart = chart

    def __repr__(self) -> str:
        return f"<Picture {self._chart.title}>"

    def document(self) -> Document:
        """The JSON document of ``arena plot``."""
        return chart_document(self._chart)

    def svg(self) -> str:
        """The picture as the text of an SVG file."""
        return figure(self._chart, "svg").decode()

    def png(self) -> bytes:
        """The picture as the bytes of a PNG file."""
        return figure(self._chart, "png")

    @public
    def write(self, file: File) -> Path:
        """Writes the picture to a file that ends in ``.svg`` or ``.png``.

        Raises:
            BadInput: The name ends otherwise, or the file cannot be written.
        """
        path = Path(file)
        write_figure(self._chart, path)
        return path

    def _repr_svg_(self) -> str:
        return self.svg()


@public
def leaderboard(
    db: File | None = None,
    game: str | None = None,
    ruleset: str | None = None,
    *,
    tournament: int | None = None,
    all_versions: bool = False,
) -> Picture:
    """Draws one leaderboard: its ratings with their intervals.

    Args:
        db: The database, as for ``open_database``, or an open one.
        game: Only this game.
        ruleset: Only this ruleset, as tournaments are stored with it.
        tournament: Only the matches of this one.
        all_versions: Whether every version of a bot has a row, or the latest that has played.

    Raises:
        UnknownName: No tournament in the database has that game or ruleset.
        BadInput: Nothing was played, or there are several leaderboards of the kind.
    """
    asked = _asked(game, ruleset, tournament)
    with open_database(address(db)) as database:
        boards = Boards(Registry(), database)
        return Picture(pictures.leaderboard_chart(boards, asked, all_versions=all_versions))


@public
def progress(
    bot: str,
    db: File | None = None,
    game: str | None = None,
    ruleset: str | None = None,
    *,
    tournament: int | None = None,
) -> Picture:
    """Draws the ratings of a bot's versions on one leaderboard, the oldest first.

    Args:
        bot: Its name, without a version.
        db: As for ``leaderboard``.

    Raises:
        UnknownName: No bot of that name has played there; or as ``leaderboard``.
        BadInput: No version has played yet, or there are several leaderboards of the kind.
    """
    asked = _asked(game, ruleset, tournament)
    with open_database(address(db)) as database:
        found = versions_of(Boards(Registry(), database), bot, asked)
        return Picture(pictures.progress_chart(found))


def _asked(game: str | None, ruleset: str | None, tournament: int | None) -> Asked:
    return Asked(game=game, ruleset=ruleset, tournament=tournament)


@public
def crosstable(number: int, db: File | None = None) -> Picture:
    """Draws a crosstable: shares of the points, with games won, drawn and lost.

    Raises:
        UnknownName: There is no such tournament.
    """
    with open_database(address(db)) as database:
        stored = stored_tournament(database, number)
        return Picture(pictures.crosstable_chart(stored_report(Registry(), stored)))


@public
def times(number: int, db: File | None = None) -> Picture:
    """Draws the times of the bots' decisions in a tournament, with their limit.

    Raises:
        UnknownName: There is no such tournament.
        BadInput: Nothing was played.
    """
    with open_database(address(db)) as database:
        return Picture(pictures.times_chart(database, number))


@public
def chart(file: File) -> Picture:
    """Reads a picture from the JSON document of one, such as the report of ``make calibrate``.

    Raises:
        BadInput: The file cannot be read, or holds none.
    """
    return Picture(read_chart(Path(file)))


@public
def replay_page(
    match: Match,
    view: str = "all",
    *,
    move: int = 0,
    mistakes: float = MISTAKE,
    value_function: File | None = None,
) -> str:
    """Draws a match as one page for a browser, as HTML: its boards, events and player.

    Args:
        match: A match of ``arena.play_match``, or a stored one.
        view: ``"public"``, ``"seat0"``, ``"seat1"``, ... or ``"all"``; the page has no other.
        move: The move that is shown first.
        mistakes: Win probability that a mistake gives away at least.
        value_function: As for ``match.luck``.

    Raises:
        UnknownName: There is no such view.
        BadInput: The match has no such move, the threshold is not a probability, or the value
            function cannot be used.
    """
    from arena.pages.replay import single_replay_page

    if not isinstance(match, Match):
        raise wrong("match", "a match of arena.play_match, or a stored one", match)
    return single_replay_page(
        match, view, move=move, mistakes=mistakes, value_function=value_function
    )
