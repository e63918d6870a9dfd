"""``arena token``: the tokens by which authors submit to a league, and organisers log in."""

from __future__ import annotations

from typing import Annotated

import typer

from arena.cli.terminal.help import ORGANISERS
from arena.cli.terminal.output import Output, OutputOption, say, show_rows
from arena.cli.terminal.wiring import DEFAULT_DB, DbOption
from arena.core.table import Column
from arena.service.storage.databases import open_database

COLUMNS = (
    Column("token", "token", drop=0),
    Column("author", "author", drop=0),
    Column("role", "role"),
    Column("status", "status"),
    Column("made", "made", drop=2),
    Column("used", "used", drop=3),
)
EPILOG = """\b
Examples:
  arena token new "Ann Author"
  arena token new "Olga Organiser" --organiser
  arena token list
  arena token revoke arena_1a2b3c4d
  arena token revoke "Ann Author"
"""


def register(app: typer.Typer) -> None:
    """Adds the verbs."""
    token = typer.Typer(help="Manage the tokens of authors and organisers.", no_args_is_help=True)
    token.command("new", epilog=EPILOG)(new_command)
    token.command("list")(list_command)
    token.command("revoke")(revoke_command)
    app.add_typer(token, name="token", rich_help_panel=ORGANISERS, epilog=EPILOG)


def new_command(
    author: Annotated[str, typer.Argument(metavar="AUTHOR", help="Author's name.")],
    organiser: Annotated[
        bool,
        typer.Option(
            "--organiser", help="Token of an organiser, who runs events: arena serve --organise."
        ),
    ] = False,
    db: DbOption = DEFAULT_DB,
) -> None:
    """Create a token and print it once.

    Only its digest is stored.
    """
    from arena_results.bots.authors import new_token

    from arena.service.league.league_queue import now

    with open_database(db, create=True) as results:
        secret = new_token(results, author, now(), organises=organiser)
    print(secret)
    say(f"Give it to the {'organiser' if organiser else 'author'}: it is shown this once")


def list_command(db: DbOption = DEFAULT_DB, output: OutputOption = Output.TABLE) -> None:
    """List the tokens by their first characters."""
    from arena_results.bots.authors import tokens

    from arena.service.league.tokens import token_row

    with open_database(db) as results:
        show_rows(output, "Tokens", COLUMNS, [token_row(each) for each in tokens(results)])


def revoke_command(
    token: Annotated[
        str,
        typer.Argument(metavar="TOKEN", help="First characters of the token, or an author's name."),
    ],
    db: DbOption = DEFAULT_DB,
) -> None:
    """Revoke a token, or all tokens of an author.

    Their logins end, too.
    """
    from arena_results.bots.authors import revoke

    from arena.service.league.league_queue import now
    from arena.service.league.tokens import token_row

    with open_database(db) as results:
        changed = revoke(results, token, now())
    for each in changed:
        row = token_row(each)
        say(f"{row['token']} of {row['author']} is revoked")
    if not changed:
        say("nothing changed: it was revoked before")
