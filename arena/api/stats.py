"""Statistics of results: strength and tests from counts only, ratings, and pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import index
from os import PathLike
from pathlib import Path
from typing import SupportsIndex

from arena_results.boards.leaderboard import Asked
from arena_results.ratings.comparing.sequential import ERROR_RATE, Model, Sprt, evidence
from arena_results.ratings.intervals.statistics import estimate

from arena.api import pictures as pictures
from arena.api.common.calls import address, plugins, public, warn
from arena.api.common.shown import Rows
from arena.api.compare import compare as compare
from arena.api.compare import compare_async as compare_async
from arena.api.exploit import exploit as exploit
from arena.core.errors import BadInput, UnknownName
from arena.service.answers.arguments import Positive, listed, text
from arena.service.answers.rows import Document
from arena.service.boards.kept import Boards
from arena.service.boards.progress import progress as versions_of
from arena.service.match.learning import learn_value as learn_from
from arena.service.match.learning import learning_plan
from arena.service.match.odds import described_odds
from arena.service.rating.counts import elo_document, read_counts, sprt_document
from arena.service.rating.rate import rate as rate_file
from arena.service.rating.rate import rating_document
from arena.service.storage import databases


@public
def odds(game: str, ruleset: str = "", **position: str) -> Document:
    """Computes the exact odds of a described position: the document of ``arena odds``.

    Args:
        game: The game.
        ruleset: The ruleset as typed; by default the game's first.
        position: Facts such as ``own="10 4"`` in Pazaak; ``arena odds --help`` has all.

    Raises:
        BadInput: There is no such game or ruleset, or the keys describe no position.
    """
    texts = {key: text(key, value) for key, value in position.items()}
    with plugins() as registry:
        found = described_odds(registry, game, ruleset, texts)
    return found.document()


@public
def elo(*, wdl: Sequence[int] | None = None, pentanomial: Sequence[int] | None = None) -> Document:
    """Estimates how much stronger one side is, from counts of results only.

    Args:
        wdl: Matches won, drawn and lost; either these or pairs.
        pentanomial: Mirrored pairs with 0, 1/2, 1, 3/2 and 2 points.

    Returns:
        ``elo``, ``nelo`` (normalized), each with its ``_error``, half the 95 % interval; ``los``,
        the chance that it is the stronger side; ``score``. ``None`` where the counts give none.

    Raises:
        BadInput: There are no counts, or both, or they are none.
    """
    return elo_document(estimate(read_counts(wdl, pentanomial)))


@public
def sprt(
    *,
    wdl: Sequence[int] | None = None,
    pentanomial: Sequence[int] | None = None,
    elo0: float,
    elo1: float,
    alpha: float = ERROR_RATE,
    beta: float = ERROR_RATE,
    model: str = "normalized",
) -> Document:
    """Tests a change sequentially (SPRT) from counts of results only.

    Args:
        wdl: As for ``elo``.
        pentanomial: As for ``elo``.
        elo0: Elo difference of hypothesis H0.
        elo1: Elo difference of hypothesis H1, above ``elo0``.
        alpha: Chance of H1 where H0 is true.
        beta: Chance of H0 where H1 is true.
        model: The scale of both Elos: ``"normalized"``, ``"logistic"`` or ``"bayesian"``, which
            takes ``wdl`` only.

    Returns:
        ``llr``, the log likelihood ratio of H1 to H0, its bounds ``lower`` and ``upper``, and the
        ``decision``: ``"H0"``, ``"H1"`` or ``"continue"``.

    Raises:
        BadInput: Counts or hypotheses are none.
    """
    if model not in list(Model):
        raise UnknownName("model", str(model), list(Model))
    test = Sprt(elo0=elo0, elo1=elo1, alpha=alpha, beta=beta, model=Model(model))
    return sprt_document(evidence(test, read_counts(wdl, pentanomial)))


@public
def rate(
    file: str | PathLike[str],
    *,
    model: str = "bt",
    prior: float | None = None,
    anchor: Mapping[str, float] | None = None,
    scale: str | None = None,
    seat_effect: bool = False,
    k: float | None = None,
    start: float | None = None,
    tau: float | None = None,
    before: str | PathLike[str] | None = None,
) -> Document:
    """Rates the players of a file of results from elsewhere (CSV or PGN).

    Args:
        model: The rating system: ``"bt"``, ``"pl"``, ``"joint"``, ``"elo"``, ``"glicko2"``,
            ``"openskill"`` or an extension's, with options as in ``"elo(k=8)"``.
        prior: Standard deviation of the prior of ``bt``, ``pl`` and ``joint``, in points of the
            scale; 1,000 Elo by default, 0 for none.
        anchor: Ratings that are given, by name.
        scale: ``"elo"``, or ``"log"`` for natural logarithms of strength.
        seat_effect: Whether ``player1`` (White) may have an advantage.
        k: The most that a match can move a player in ``elo``; 16 by default.
        start: The rating of new players in ``elo``; 1500 by default.
        tau: The constant that limits changes of the volatility in ``glicko2``; 0.5 by default.
        before: A file of ratings before the first result, for ``elo``, ``glicko2``, ``openskill``.

    Returns:
        ``model``; ``ratings``, the best first, each with ``player``, ``rating`` and ``se``, its
        standard error; ``seat_effect`` and ``seat_effect_se``; and how many games were ``seen`` and
        ``rated``, with the numbers that were ``left_out`` by reason. What they cannot say comes as
        warnings.

    Raises:
        BadInput: The file is wrong, or an option is.
    """
    if not isinstance(anchor, Mapping | None):
        raise BadInput(f"anchor: expected ratings by name, not {anchor!r}")
    options = {
        "prior": prior,
        "scale": scale,
        "seat_effect": seat_effect or None,
        "k": k,
        "start": start,
        "tau": tau,
    }
    with plugins() as registry:
        found = rate_file(
            registry,
            Path(file),
            model,
            warn,
            {key: value for key, value in options.items() if value is not None},
            anchors=anchor or {},
            before=None if before is None else Path(before),
        )
    for note in found.notes:
        warn(note)
    return rating_document(found)


@public
def progress(
    bot: str,
    db: str | PathLike[str] | None = None,
    game: str | None = None,
    ruleset: str | None = None,
    *,
    tournament: int | None = None,
) -> list[Document]:
    """Computes whether the versions of a bot get better, on each leaderboard of theirs.

    Args:
        bot: Its name, without a version.
        db: The database; by default the variable ``ARENA_DB``, or ``arena.db``.
        game: Only this game.
        ruleset: Only this ruleset, as tournaments are stored with it.
        tournament: Only the matches of this one.

    Returns:
        The documents of ``arena progress``: ``versions``, the oldest first, ``anchors``,
        ``last_step`` and its ``text``, and ``next``, the command that finds out more.

    Raises:
        UnknownName: There is no such bot; or no tournament in the database has that game or
            ruleset, or number.
        BadInput: No version has played yet.
    """
    asked = Asked(game=game, ruleset=ruleset, tournament=tournament)
    with plugins() as registry, databases.open_database(address(db)) as database:
        found = versions_of(Boards(registry, database), bot, asked)
    return Rows.joined([each.table() for each in found], [each.document() for each in found])


@public
def learn_value(
    game: str,
    db: str | PathLike[str] | None = None,
    *,
    ruleset: str = "",
    tournaments: Sequence[int] = (),
    out: str | PathLike[str] | None = None,
    matches: Positive | None = None,
    hidden: str | None = None,
    rounds: int | None = None,
    epochs: int | None = None,
    seed: int | None = None,
) -> Document:
    """Learns a value function, by which luck is computed, from stored matches; writes it to a file.

    Args:
        db: The database; by default the variable ``ARENA_DB``, or ``arena.db``.
        ruleset: The ruleset with options; by default the game's first.
        tournaments: Numbers of the tournaments that it learns from; all of the ruleset by default.
        out: The file; by default ``GAME.values``.
        matches: The most matches, of the newest tournaments; 100,000 by default.
        hidden: Sizes of the hidden layers; ``"64x32"`` by default.
        rounds: How often labels are made again; 3 by default.
        epochs: How often a round goes through all positions; 4 by default.
        seed: What its chance follows from; 1 by default.

    Returns:
        The document of ``arena learn-value``: ``value_function``, ``hash``, ``file``, ``origin``,
        ``tournaments``, ``held_out`` and ``reductions``.

    Raises:
        BadInput: There are too few matches, or a number is out of its range.
    """
    file = Path(f"{game}.values" if out is None else out)
    given = {"rounds": rounds, "epochs": epochs, "seed": seed}
    numbers = {key: value for key, value in given.items() if value is not None}
    plan = learning_plan(hidden=hidden, **numbers)
    chosen = [*map(index, listed("tournaments", tournaments, SupportsIndex))]
    with plugins() as registry, databases.open_database(address(db)) as database:
        found = learn_from(
            registry,
            database,
            game,
            file,
            ruleset=ruleset,
            tournaments=chosen,
            matches=matches,
            plan=plan,
            progress=lambda stage, share: None,
        )
    return found.document()
