"""``arena cluster certificates``: the certificates of a cluster of one's own."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    """Adds the command."""
    cluster = typer.Typer(no_args_is_help=True, help="Prepare a Dask cluster.")
    app.add_typer(cluster, name="cluster", rich_help_panel="This machine")

    @cluster.callback()
    def group() -> None:
        """Prepare a Dask cluster."""

    @cluster.command("certificates")
    def certificates(
        folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder to write to.")],
        days: Annotated[int, typer.Option(min=1, max=36_500, help="Days of validity.")] = 3650,
    ) -> None:
        """Write a certificate authority and the cluster's key pair.

        Where there is an authority, it signs a new key pair.
        """
        from arena_dask.certificates import CA_KEY, FILES, write_certificates

        made = write_certificates(folder, days)
        typer.echo(f"written to {folder}: {', '.join([*FILES, *([CA_KEY] if made else [])])}")
        typer.echo(f"Copy {', '.join(FILES)} to every machine of the cluster.")
        typer.echo(f"Keep {CA_KEY} here: whoever has it can enter the cluster.")
