"""``arena match``: the bots of one table, some matches, the result."""

from __future__ import annotations

from typing import Annotated

import typer

from arena.cli.options import (
    AllowOption,
    ConcurrencyOption,
    ConfineHouseOption,
    DecisionSecondsOption,
    GameOption,
    GamesOption,
    IsolationOption,
    KeyOption,
    MatchSecondsOption,
    MemoryOption,
    MirroredOption,
    OutputLimitOption,
    RequireOption,
    RulesetOption,
    SeedOption,
    StartupSecondsOption,
    ThreadsOption,
    TrustOption,
    given,
)
from arena.cli.output import Output, OutputOption
from arena.cli.wiring import DEFAULT_DB, DbOption

EPILOG = "Example: arena match 'stand(at=17)' random --games 200"


def register(app: typer.Typer) -> None:
    """Adds the verb."""
    app.command("match", epilog=EPILOG)(match_command)


def match_command(
    one: Annotated[str, typer.Argument(metavar="A", help="A bot, as in: arena bots.")],
    other: Annotated[str, typer.Argument(metavar="B", help="Its opponent.")],
    more: Annotated[
        list[str] | None,
        typer.Argument(metavar="C ...", help="More opponents, if the game has the seats."),
    ] = None,
    game: GameOption = None,
    ruleset: RulesetOption = None,
    games: GamesOption = None,
    seed: SeedOption = None,
    key: KeyOption = None,
    mirrored: MirroredOption = None,
    concurrency: ConcurrencyOption = None,
    decision_seconds: DecisionSecondsOption = None,
    match_seconds: MatchSecondsOption = None,
    trust: TrustOption = None,
    isolation: IsolationOption = None,
    require: RequireOption = None,
    confine_house: ConfineHouseOption = None,
    allow: AllowOption = None,
    startup_seconds: StartupSecondsOption = None,
    memory_mb: MemoryOption = None,
    threads: ThreadsOption = None,
    output_kb: OutputLimitOption = None,
    db: DbOption = DEFAULT_DB,
    output: OutputOption = Output.TABLE,
) -> None:
    """Plays bots against each other at one table, and says who is better.

    It is a tournament of one pairing: stored, resumable, and with replays.
    """
    from arena.cli.playing import play_new

    keys = given(
        game=game, ruleset=ruleset, games=games, seed=seed, key=key, mirrored=mirrored,
        concurrency=concurrency, decision_seconds=decision_seconds, match_seconds=match_seconds,
        trust=trust, isolation=isolation, require=require, confine_house=confine_house,
        allow=allow, startup_seconds=startup_seconds, memory_mb=memory_mb, threads=threads,
        output_kb=output_kb,
    )  # fmt: skip
    bots = [one, other, *(more or ())]
    if len(bots) > 2:
        keys["format"] = "tables"
    keys |= {"bots": bots, "seats": len(bots), "name": "match"}
    play_new(keys, "command line", db, output)
