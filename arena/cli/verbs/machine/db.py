"""``arena db``: care for a database of results."""

from __future__ import annotations

import typer

from arena.cli.terminal.help import ORGANISERS
from arena.cli.terminal.wiring import DEFAULT_DB, DbOption
from arena.service.storage.databases import upgrade_database

EPILOG = """\b
Example:
  arena db upgrade --db sqlite:///last-year.db
"""


def register(app: typer.Typer) -> None:
    """Adds the verb."""
    db = typer.Typer(help="Maintain a database of results.", no_args_is_help=True)

    @db.callback()
    def db_group() -> None:
        """Maintains a database of results."""

    @db.command("upgrade", epilog=EPILOG)
    def db_upgrade(db: DbOption = DEFAULT_DB) -> None:
        """Upgrade the database of an older version, after a copy."""
        upgraded = upgrade_database(db)
        if upgraded is None:
            print(f"{db} is up to date; nothing to do")
        elif upgraded.copy is None:
            print(f"{db} is upgraded")
        else:
            print(f"{db} is upgraded; the file as it was is {upgraded.copy}")

    app.add_typer(db, name="db", rich_help_panel=ORGANISERS)
