"""``arena career``: a person's career against rivals of growing strength, for credits."""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer
from arena_results.file.addresses import DEFAULT_URL

from arena.cli.terminal.help import PLAYERS
from arena.cli.terminal.output import Output, OutputOption, say, show, show_json
from arena.cli.terminal.screens import USUAL_MINUTES, MinutesOption, check_screen
from arena.cli.terminal.wiring import DbOption, registry, report_problems
from arena.games.pazaak.career.purse import PURSE

if TYPE_CHECKING:
    from arena.service.match.person import HumanSeat
    from arena.service.match.replays import Match
    from arena.service.run.person.career import OpenCareer
    from arena.service.run.person.career_file import Career, Played
    from arena.service.run.person.exhibition import OnBegin

EPILOG = """\b
Examples:
  arena career new me.json --auxiliary --cheats
  arena career play me.json novice --wager 10
  arena career play me.json novice --wager 5 --roll
  arena career show me.json
"""
File: TypeAlias = Annotated[Path, typer.Argument(metavar="FILE", help="File of the career.")]


def register(app: typer.Typer) -> None:
    """Adds the verbs."""
    career = typer.Typer(
        help="Play a career at Pazaak, with wagers and rivals.", no_args_is_help=True
    )
    career.command("new", epilog=EPILOG)(new_command)
    career.command("play", epilog=EPILOG)(play_command)
    career.command("show")(show_command)
    app.add_typer(career, name="career", rich_help_panel=PLAYERS, epilog=EPILOG)


def new_command(
    file: File,
    purse: Annotated[int, typer.Option(metavar="N", help="Your credits.")] = PURSE,
    name: Annotated[str, typer.Option(metavar="NAME", help="Your name.")] = "human",
    ruleset: Annotated[
        str, typer.Option(metavar="RULES", help="Ruleset, see arena games pazaak.")
    ] = "",
    skill: Annotated[
        int | None, typer.Option(metavar="%", help="Your skill in rolls, 0 to 100. [50]")
    ] = None,
    auxiliary: Annotated[
        bool, typer.Option("--auxiliary", help="Roll once per set to see four cards and swap one.")
    ] = False,
    cheats: Annotated[bool, typer.Option("--cheats", help="Allow cheats, at a risk.")] = False,
    seed: Annotated[
        int | None, typer.Option(metavar="N", help="Fixed seed, for tests only.")
    ] = None,
    db: DbOption = DEFAULT_URL,
) -> None:
    """Begin a career.

    FILE stores your purse, your level and the numbers of your matches. The database stores the
    moves of each match, for arena replay.
    """
    from arena.service.run.person.career import new_career, ruleset_with
    from arena.service.storage.databases import open_database

    spelling = ruleset_with(ruleset, skill, auxiliary, cheats)
    with open_database(db, create=True) as results:
        place = results.place.home
    _show(new_career(file, place, name=name, ruleset=spelling, purse=purse, seed=seed))


def play_command(
    file: File,
    rival: Annotated[str, typer.Argument(metavar="RIVAL", help="Rival, see arena career show.")],
    wager: Annotated[int, typer.Option(metavar="N", help="Credits that each player bets.")],
    roll: Annotated[
        bool, typer.Option("--roll", help="Decide the match by rolls of skill.")
    ] = False,
    loadout: Annotated[str, typer.Option(metavar="CARDS", help="Your side deck. [asked]")] = "",
    hints: Annotated[bool, typer.Option("--hints", help="Show the exact odds with key h.")] = False,
    minutes: MinutesOption = USUAL_MINUTES,
) -> None:
    """Play a match for a wager (extra: tui).

    Leaving the match loses it.
    """
    if not roll:
        check_screen("career play")
    from arena.service.run.person.career import open_career

    found = registry()
    with open_career(file, found) as career:
        _say_abandoned(career)
        try:
            with redirect_stdout(sys.stderr):
                career.check(rival, wager, roll=roll, loadout=loadout)
        finally:
            report_problems(found)
        if roll:
            _roll(career, rival, wager)
        else:
            _at_the_table(career, rival, wager, loadout, hints, 60 * minutes)
        print(_standing(career.career))


def show_command(file: File, output: OutputOption = Output.TABLE) -> None:
    """Show a career: purse, level, rivals and matches."""
    from arena.service.run.person.career import career_document
    from arena.service.run.person.career_file import read_career

    career = read_career(file)
    if output is Output.JSON:
        show_json(career_document(career))
    else:
        _show(career, output)


def _roll(career: OpenCareer, rival: str, wager: int) -> None:
    from arena.core.bot import Bot
    from arena.service.match.replay_text import name_seats, seat_labels

    match, played = career.play(rival, wager, Bot(), roll=True)
    labels = seat_labels(match.names)
    for moment in match:
        for event in moment.events:
            print(name_seats(event, labels))
    print(_result(played))


def _at_the_table(
    career: OpenCareer, rival: str, wager: int, loadout: str, hints: bool, seconds: float
) -> None:
    from arena.tui.play import PlayApp
    from arena.tui.table import Table

    def playing(person: HumanSeat, on_begin: OnBegin) -> Match:
        match, _ = career.play(
            rival, wager, person, loadout=loadout, seconds=seconds, on_begin=on_begin
        )
        return match

    seats = career.seats(rival, loadout, seconds)
    note = f"Career, purse {career.career.purse}, wager {wager}"
    app = PlayApp(
        Table(career.registry, career.database, seats, {}, hints, playing=playing, note=note)
    )
    app.run()
    if app.error is not None:
        raise app.error
    if app.closing:
        print(app.closing)
    if career.career.matches:
        print(_result(career.career.matches[-1]))


def _say_abandoned(career: OpenCareer) -> None:
    if (lost := career.abandoned) is not None:
        say(f"The match {lost.match} against {lost.rival} was left: {lost.wager} credits are lost")


def _result(played: Played) -> str:
    words = {"won": "You win", "lost": "You lose", "drawn": "A draw: nobody pays"}[played.result]
    credits = "" if played.result == "drawn" else f" {played.wager} credits"
    return f"{words}{credits}{f' ({played.why})' if played.why else ''}"


def _standing(career: Career) -> str:
    from arena.service.run.person.career import ending_of, level_of, open_rivals

    if ending := ending_of(career):
        return ending
    rivals = ", ".join(f"{row.name} ({career.purses[row.name]})" for row in open_rivals(career))
    return f"Purse {career.purse}, level {level_of(career)}; open to you: {rivals}"


def _show(career: Career, output: str = Output.TABLE) -> None:
    from arena.service.run.person.career import match_table, rival_table

    if output is Output.TABLE:
        print(f"{career.name}, {career.ruleset}")
        print(_standing(career))
        if (stake := career.stake) is not None:
            print(f"A match against {stake.rival} for {stake.wager} is being played, or was left")
    show(output, rival_table(career))
    if career.matches and output is Output.TABLE:
        show(output, match_table(career))
