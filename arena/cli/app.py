"""The command ``arena``: one application, errors as one line."""

from __future__ import annotations

import gc
import os
import re
import sys
from collections.abc import Sequence
from copy import copy
from importlib.metadata import version
from signal import Signals
from typing import TYPE_CHECKING, Annotated

import typer
from typer.main import get_command_name, solve_typer_info_defaults

from arena.cli.terminal.exits import (
    BAD_INPUT,
    DONE,
    FAILED,
    IN_WORDS,
    MAX_LENGTH,
    STOPPED,
    error_code,
    error_lines,
)
from arena.cli.terminal.help import Panels
from arena.cli.terminal.signals import Asked
from arena.cli.terminal.streams import Streams
from arena.core.text.printable import printable_line
from arena.plugins.options import on_the_command_line, options_spelled
from arena.service.answers.engine import engine
from arena.service.answers.errors import known_error

if TYPE_CHECKING:
    from arena.plugins.registry import Registry

HELP = "Run tournaments of bots at card games. Begin with: arena demo"

COLLECT_AFTER = 100_000
"""New objects before the garbage collector looks at the young ones: what a command loads stays."""


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"arena {version('arena-harness')} ({engine()})")
        raise typer.Exit


def _root(
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            help="Print the version, and whether Arena is compiled.",
            callback=_print_version,
            is_eager=True,
        ),
    ] = False,
) -> None:
    """Takes the options of the command itself, before any verb."""


def build(words: Sequence[str] = ()) -> typer.Typer:
    """The application with every verb, ours and those of extensions.

    Args:
        words: If they begin with the name of a command, the application has that one alone.
    """
    from arena.cli.terminal.wiring import registry
    from arena.cli.verbs.bots import bots, check, new, progress, submit, token
    from arena.cli.verbs.files import counts, rate, tournament_reports
    from arena.cli.verbs.machine import db, doctor, games, rules, serve
    from arena.cli.verbs.results import (
        exploit,
        export,
        leaderboard,
        learn,
        matches,
        mcp,
        odds,
        play,
        plot,
        reask,
        replay,
        report,
        transcripts,
        watch,
    )
    from arena.cli.verbs.tournaments import compare, demo, match, tournament

    app = typer.Typer(
        name="arena",
        cls=Panels,
        no_args_is_help=True,
        rich_markup_mode=None,  # plain help: brackets stay, pipes get no boxes
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
        epilog=IN_WORDS,
    )
    app.callback(help=HELP)(_root)
    for verb in (
        demo,
        games,
        rules,
        bots,
        match,
        play,
        mcp,
        watch,
        compare,
        progress,
        tournament,
        leaderboard,
        matches,
        export,
        report,
        replay,
        reask,
        transcripts,
        odds,
        serve,
        check,
        new,
        submit,
        token,
        tournament_reports,
        counts,
        rate,
        learn,
        exploit,
        plot,
        doctor,
        db,
    ):
        verb.register(app)
    plugins = registry()
    plugins.notify("arena_commands", app=app)
    found = _only(app, words) or app
    if found is not app or not words:
        _complete(found, plugins)
    return found


def _complete(app: typer.Typer, plugins: Registry) -> None:
    """Adds the options of formats and rating systems to the commands that take them."""
    for command in app.registered_commands:
        complete = getattr(command.callback, "complete", None)
        if complete is not None:
            command.callback = complete(plugins)
    for group in app.registered_groups:
        if group.typer_instance is not None:
            _complete(group.typer_instance, plugins)


def _only(app: typer.Typer, words: Sequence[str]) -> typer.Typer | None:
    """An application with the command alone that the words begin with; ``None`` without one.

    Typer makes every registered command with all its options, longer than most commands take.
    """
    if not words:
        return None
    found = copy(app)
    found.registered_commands = [
        command
        for command in app.registered_commands
        if words[0] == (command.name or get_command_name(command.callback.__name__))  # type: ignore[union-attr]
    ]
    found.registered_groups = []
    for group in map(copy, app.registered_groups):
        commands = group.typer_instance
        assert commands is not None
        name = solve_typer_info_defaults(group).name
        part = _only(commands, words[1:] if name else words)
        if name == words[0] or (part and not name):
            group.typer_instance = part or commands
            found.registered_groups.append(group)
    return found if found.registered_commands or found.registered_groups else None


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
    try:
        # Not standalone: what is wrong with the command's words becomes one line here too.
        with options_spelled(on_the_command_line):
            code = build(sys.argv[1:])(standalone_mode=False)
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


_WRONG_VALUE = re.compile(r"Invalid value for '([^']+)'(?: / '[^']+')*: ")
_EXPECTED = (
    (re.compile(r"Input should be greater than or equal to (\S+)"), r"expected at least \1"),
    (re.compile(r"Input should be less than or equal to (\S+)"), r"expected at most \1"),
    (re.compile(r"Input should be a valid integer.*"), "expected a whole number"),
    (re.compile(r"Input should be a valid number.*"), "expected a number"),
)
"""The library's words for wrong values, and ours."""


def _usage_error(error: typer.TyperException) -> str:
    """The error of a command's words, with where to look; a bare command's help as it is."""
    text = _WRONG_VALUE.sub(r"\1: ", error.format_message())
    for theirs, ours in _EXPECTED:
        text = theirs.sub(ours, text)
    if text.startswith("Usage:"):
        return text
    context: typer.Context | None = getattr(error, "ctx", None)
    commands = getattr(context and context.command, "commands", {})
    choices = f" Choices: {', '.join(commands)}." if "command" in text and commands else ""
    help = getattr(getattr(error, "param", None), "help", None)
    if help and text.startswith("Missing argument"):
        text = f"{text.removesuffix('.')}: {help[:1].lower()}{help[1:]}"
    where = f" (see: {context.command_path} --help)" if context else ""
    return f"arena: {printable_line(text, MAX_LENGTH)}{choices}{where}"


if __name__ == "__main__":
    main()
