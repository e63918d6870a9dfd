"""``arena replay``: a stored match, move by move, from whoever's point of view."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer

from arena.cli.exits import CHECK_FAILED
from arena.cli.output import TextOrJson, TextOrJsonOption, say, show_json
from arena.cli.stepping import check_terminal, walk
from arena.cli.wiring import DEFAULT_DB, DbOption, database, registry
from arena.core.errors import BadInput, Divergence, ParseError
from arena.core.record import MatchKey

if TYPE_CHECKING:
    from arena_results.database import Database
    from arena_results.replays.views import Replay

    from arena.cli.replay_text import Participants

FORM = "TOURNAMENT.ROUND.PAIRING.LEG, all from 1, e.g. 3.1.2.1"

EPILOG = """\b
Examples:
  arena replay 3.1.2.1
  arena replay 3.1.2.1 --view seat0 --step
  arena replay 3 --verify

LEG counts the matches of a pairing. A shorter number, such as 3.1, means the
first match there (here: of round 1), and with --verify all of them.
"""


def register(app: typer.Typer) -> None:
    """Adds the verb."""

    @app.command("replay", epilog=EPILOG)
    def replay(
        match: Annotated[
            str, typer.Argument(metavar="MATCH", help="TOURNAMENT.ROUND.PAIRING.LEG, e.g. 3.1.2.1")
        ],
        view: Annotated[
            str, typer.Option(metavar="VIEW", help="Who looks: public, seat0, seat1, ... or all.")
        ] = "all",
        step: Annotated[bool, typer.Option("--step", help="Walk it with the keyboard.")] = False,
        verify: Annotated[
            bool, typer.Option("--verify", help="Re-execute it; exit code 1 at a difference.")
        ] = False,
        db: DbOption = DEFAULT_DB,
        output: TextOrJsonOption = TextOrJson.TABLE,
    ) -> None:
        """Shows a stored match move by move, with the table drawn.

        A view shows no card, seed or traceback that its owner may not know; a
        seed is shown when the whole tournament is finished.
        JSON: an object with match, view, game, ruleset, engine, seed, seats,
        moments (move, events, scores, table, seat, action) and ending.
        """
        if step and (verify or output is TextOrJson.JSON):
            raise BadInput("--step goes neither with --verify nor with -o json")
        if step:
            check_terminal()
        with database(db) as results:
            tournament, numbers = _parse(match, results)
            try:
                if verify:
                    _verify(results, tournament, numbers, output)
                else:
                    _show(results, tournament, numbers, view, output, step=step)
            except _Differs as difference:
                say(f"arena: {difference}")
                raise typer.Exit(CHECK_FAILED) from None


class _Differs(Exception):
    """A match does not re-execute to what it says; the message names the match."""


def _parse(match: str, results: Database) -> tuple[int, tuple[int, ...]]:
    """The tournament, and what is given of round, pairing and leg."""
    if not re.fullmatch(r"0*[1-9]\d{0,8}(\.0*[1-9]\d{0,8}){0,3}", match, re.ASCII):
        from arena_results.queries import tournaments

        ids = [str(each.id) for each in tournaments(results)]
        there = f"there are tournaments {ids[0]} to {ids[-1]}" if ids else "there is none yet"
        raise ParseError(f"cannot read the match {match!r}; write {FORM}; {there}")
    tournament, *numbers = map(int, match.split("."))
    return tournament, tuple(numbers)


def _place(numbers: tuple[int, ...]) -> MatchKey:
    return MatchKey(*numbers, *[1] * (3 - len(numbers)))


def _show(
    results: Database,
    tournament: int,
    numbers: tuple[int, ...],
    view: str,
    output: TextOrJson,
    *,
    step: bool,
) -> None:
    from arena_results.queries import field, played_match, summary
    from arena_results.replays.views import replay_view, view_named
    from arena_results.rows import Status

    place = _place(numbers)
    played = played_match(results, tournament, place)
    looks = view_named(view, len(played.record.seats))
    if summary(results, tournament).status is not Status.FINISHED:
        # Legs of the same deal may still be to be played.
        looks = msgspec.structs.replace(looks, shows_seed=False)
    players = {each.participant.key: each.participant for each in field(results, tournament)}
    game = registry().game(played.record.game)
    name = f"{tournament}.{place}"
    try:
        shown = replay_view(game, played.record, looks, played.measurement.error)
    except Divergence as error:
        raise _Differs(f"match {name} cannot be replayed: {error}") from None
    if output is TextOrJson.JSON:
        show_json(_document(name, shown, players))
    else:
        _print(name, shown, players, step=step)


def _document(name: str, shown: Replay, players: Participants) -> dict[str, object]:
    document: dict[str, object] = {"match": name, **msgspec.to_builtins(shown)}
    document["seats"] = [
        {
            "seat": seat.seat,
            **msgspec.structs.asdict(players[seat.participant]),
            "loadout": seat.loadout,
        }
        for seat in shown.seats
    ]
    return document


def _print(name: str, shown: Replay, players: Participants, *, step: bool) -> None:
    from arena.cli.replay_text import ending_lines, heading, moment_lines

    head = "\n".join(heading(name, shown, players))
    end = "\n".join(ending_lines(shown, players))
    moments = [
        "\n".join(moment_lines(moment, before))
        for before, moment in zip((None, *shown.moments), shown.moments, strict=False)
    ]
    if not step:
        print("\n\n".join([head, *moments, end]))
        return
    last = "\n\n".join([*moments[-1:], end])
    walk([f"{head}\n\n{page}" for page in (*moments[:-1], last)])


def _verify(
    results: Database, tournament: int, numbers: tuple[int, ...], output: TextOrJson
) -> None:
    """Re-executes the matches one by one, up to the first that differs."""
    from arena_results.agreement import check_columns
    from arena_results.queries import field, played_match, stored_matches, summary

    from arena.match.replay import verify

    found = registry()
    played_match(results, tournament, _place(numbers))  # there is one
    about, entries = summary(results, tournament), field(results, tournament)
    count = decisions = 0
    for row, played in stored_matches(results, tournament, *numbers):
        try:
            decisions += verify(found.game(played.record.game), played.record)
            check_columns(about, entries, row, played.record)
        except Divergence as error:
            name = f"{tournament}.{played.key}"
            if output is TextOrJson.JSON:
                show_json({"verified": False, "match": name, "difference": str(error)})
            raise _Differs(f"match {name} is not what its record says: {error}") from None
        count += 1
    if output is TextOrJson.JSON:
        show_json({"verified": True, "matches": count, "decisions": decisions})
    elif len(numbers) == 3:
        print(f"verified: {decisions} decisions")
    else:
        print(f"verified: {decisions} decisions of {count} matches")
