"""The functions that make environments: what ``arena.rl`` offers."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import NoReturn

from arena.core.errors import BadInput
from arena.rl.aec_env import TurnsEnv
from arena.rl.checks import public
from arena.rl.single_env import SeatEnv
from arena.rl.vector_env import TablesEnv
from arena.service.lookup.python_bots import AnyBot


@public
def aec(
    game: str = "pazaak",
    ruleset: str = "",
    seats: int | None = None,
    render_mode: str | None = None,
) -> TurnsEnv:
    """Returns a game as a PettingZoo environment in which agents take turns (AEC).

    Agents are ``seat_0``, ``seat_1`` and so on. An observation is a dictionary: ``observation``,
    the numbers of ``game.view``, and ``action_mask``, which is in ``infos`` too. Rewards are the
    returns of the match, at its end. An illegal action is a fault, as in a tournament.

    Args:
        game: Name of the game.
        ruleset: Ruleset with options, as on the command line; by default the first.
        seats: Number of seats; by default the least.
        render_mode: ``"ansi"`` for ``render()`` as text with all cards open.

    Raises:
        BadInput: There is no such game, ruleset or view or number of seats.
    """
    return TurnsEnv(game, ruleset, seats, render_mode)


@public
def parallel(game: str = "pazaak", ruleset: str = "", seats: int | None = None) -> NoReturn:
    """Refuses: the seats of a card game take turns, so it has no parallel form.

    Raises:
        BadInput: Always.
    """
    raise BadInput(
        f"{game} has no parallel form: its seats take turns, and each sees what the seats before "
        "it did; use arena.rl.aec, or arena.rl.vector for many tables at once"
    )


@public
def single(
    game: str = "pazaak",
    opponents: Sequence[AnyBot] | str = "random",
    seat: int | None = None,
    db: str | PathLike[str] | None = None,
    render_mode: str | None = None,
    **keys: object,
) -> SeatEnv:
    """Returns one seat of a game against bots as a Gymnasium environment.

    A match is one that Arena referees: bots choose their loadouts, and are confined as in
    tournaments. Reward is the return of the seat, at the end.

    Args:
        game: Name of the game.
        opponents: One bot for each other seat, as on the command line, a class, or one name
            for a table of two.
        seat: The seat of the learner; by default drawn for each match.
        db: The database that contains submitted bots, if one is named.
        render_mode: ``"ansi"`` for ``render()`` as text.
        keys: Keys of a tournament that concern one match: ``ruleset``, ``trust``, ``allow``,
            ``isolation``, limits. Bots in ``trust`` run in this process, which is faster.

    Raises:
        BadInput: There is no such game, ruleset, view, seat or bot.
    """
    return SeatEnv(game, opponents, seat, db, render_mode, keys)


@public
def vector(
    game: str = "pazaak",
    tables: int = 64,
    opponents: Sequence[AnyBot] | str = (),
    seats: int | None = None,
    db: str | PathLike[str] | None = None,
    **keys: object,
) -> TablesEnv:
    """Returns many tables of a game as one Gymnasium vector environment.

    Without opponents it is self-play: each step decides for the seat to act at every table, and
    ``info["seat"]`` says which one. A new match begins at the step after the end
    (``AutoresetMode.NEXT_STEP``).

    Args:
        game: Name of the game.
        tables: Number of tables.
        opponents: One bot for each other seat, as in ``single``; none for self-play. Those in
            processes answer all tables at the same time.
        seats: Number of seats in self-play; by default the least.
        db: The database that contains submitted bots, if one is named.
        keys: As in ``single``; in self-play only ``ruleset``.

    Raises:
        BadInput: There is no such game, ruleset, view or bot.
    """
    return TablesEnv(game, tables, opponents, seats, db, keys)
