"""``arena replay``: a stored match, move by move, from whoever's point of view."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.exits import CHECK_FAILED
from arena.cli.output import TextOrJson, TextOrJsonOption, say, show_json
from arena.cli.pager import check_terminal, walk
from arena.cli.wiring import DEFAULT_DB, DbOption, registry
from arena.core.errors import BadInput
from arena.service.databases import open_database

if TYPE_CHECKING:
    from arena.service.replays import ShownReplay, Verified

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
            str,
            typer.Option(metavar="VIEW", help="Point of view: public, seat0, seat1, ... or all."),
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
        from arena.service import replays

        if step and (verify or output is TextOrJson.JSON):
            raise BadInput("--step goes neither with --verify nor with -o json")
        if step:
            check_terminal()
        with open_database(db) as results:
            numbers = replays.parse_numbers(results, match)
            if verify:
                verified = replays.verify(registry(), results, numbers)
                _show_verified(verified, output, one=len(numbers.rest) == 3)
                return
            shown = replays.replay(registry(), results, numbers, view)
        if output is TextOrJson.JSON:
            show_json(shown.document())
        else:
            _show(shown, step=step)


def _show(shown: ShownReplay, *, step: bool) -> None:
    from arena.cli.replay_text import ending_lines, heading, moment_lines

    replay, players = shown.replay, shown.players
    head = "\n".join(heading(shown.name, replay, players))
    end = "\n".join(ending_lines(replay, players))
    moments = [
        "\n".join(moment_lines(moment, before))
        for before, moment in zip((None, *replay.moments), replay.moments, strict=False)
    ]
    if not step:
        print("\n\n".join([head, *moments, end]))
        return
    last = "\n\n".join([*moments[-1:], end])
    walk([f"{head}\n\n{page}" for page in (*moments[:-1], last)])


def _show_verified(verified: Verified, output: TextOrJson, *, one: bool) -> None:
    if output is TextOrJson.JSON:
        show_json(verified.document())
    if verified.differs:
        say(f"arena: match {verified.differs} is not what its record says: {verified.difference}")
        raise typer.Exit(CHECK_FAILED)
    if output is TextOrJson.TABLE:
        of = "" if one else f" of {verified.matches} matches"
        print(f"verified: {verified.decisions} decisions{of}")
