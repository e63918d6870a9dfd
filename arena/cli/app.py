"""The command ``arena``: one application, one verb per file, errors as one line."""

from __future__ import annotations

import gc
import os
import sys
from importlib.metadata import version
from signal import Signals
from typing import Annotated

import typer

from arena.cli.exits import (
    BAD_INPUT,
    DONE,
    FAILED,
    IN_WORDS,
    LONGEST,
    STOPPED,
    error_code,
    error_lines,
)
from arena.cli.signals import Asked
from arena.cli.streams import Streams
from arena.core.printable import printable_line
from arena.service.errors import known_error

HELP = """A tournament harness for bots that play card games with hidden hands and chance.

Start with: arena games · arena bots · arena match stand random · arena tournament run --help
"""

COLLECT_AFTER = 100_000
"""New objects before the garbage collector looks at the young ones: what a command loads stays."""


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"arena {version('arena-harness')}")
        raise typer.Exit


def _root(
    version: Annotated[
        bool,
        typer.Option(
            "--version", help="Print the version.", callback=_print_version, is_eager=True
        ),
    ] = False,
) -> None:
    """Takes the options of the command itself, before any verb."""


def build() -> typer.Typer:
    """The application with every verb, ours and those of extensions."""
    from arena.cli import (
        bots,
        check,
        db,
        doctor,
        export,
        games,
        leaderboard,
        match,
        matches,
        new,
        replay,
        rules,
        submit,
        tournament,
        tournament_reports,
    )
    from arena.cli.wiring import registry

    app = typer.Typer(
        name="arena",
        no_args_is_help=True,
        rich_markup_mode=None,  # plain help: brackets stay, pipes get no boxes
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
        epilog=IN_WORDS,
    )
    app.callback(help=HELP)(_root)
    for verb in (
        games,
        rules,
        bots,
        match,
        tournament,
        leaderboard,
        matches,
        export,
        replay,
        check,
        new,
        submit,
        tournament_reports,
        doctor,
        db,
    ):
        verb.register(app)
    registry().notify("arena_commands", app=app)
    return app


def main() -> None:
    """Runs the command line; every error of the user's is one line on stderr, exit code 2."""
    gc.set_threshold(COLLECT_AFTER, 20, 100)
    # Workers inherit it: the order of a bot's sets must not change from run to run.
    os.environ["PYTHONHASHSEED"] = "0"
    # numpy is used for no linear algebra, for which it would start a thread a core.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    streams, asked = Streams(), Asked()
    try:
        code = _answered()
    except BaseException:
        if not asked.number:
            raise
        code = STOPPED
    if asked.number:  # however the interrupt was handed on
        print(f"arena: stopped by {Signals(asked.number).name}", file=sys.stderr)
        code = STOPPED + asked.number
    unwritten = streams.close()
    if unwritten and code == DONE:
        print(f"arena: the answer cannot be written: {unwritten}", file=sys.stderr)
        code = FAILED
    sys.exit(code)


def _answered() -> int:
    """Runs the command; its exit code, after the lines that say what went wrong."""
    try:
        # Not standalone: what is wrong with the command's words becomes one line here too.
        code = build()(standalone_mode=False)
    except typer.Abort:  # the end of the input, where an answer was wanted
        return BAD_INPUT
    except typer.TyperException as error:
        print(_usage_error(error), file=sys.stderr)
        return BAD_INPUT
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else DONE
    except Exception as error:
        known = known_error(error)
        if known is None:
            raise
        for line in error_lines(known):
            print(line, file=sys.stderr)
        return error_code(known)
    return code if isinstance(code, int) else DONE


def _usage_error(error: typer.TyperException) -> str:
    """The error of a command's words, with where to look; a bare command's help as it is."""
    text = error.format_message()
    if text.startswith("Usage:"):
        return text
    context: typer.Context | None = getattr(error, "ctx", None)
    commands = getattr(context and context.command, "commands", {})
    choices = f" Choices: {', '.join(commands)}." if "command" in text and commands else ""
    where = f" (see: {context.command_path} --help)" if context else ""
    return f"arena: {printable_line(text, LONGEST)}{choices}{where}"


if __name__ == "__main__":
    main()
