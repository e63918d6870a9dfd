"""The command ``arena``: one application, one verb per file, errors as one line.

Exit codes: 0 done, 1 a check failed, 2 bad input, 130 interrupted.
"""

from __future__ import annotations

import os
import sys

import typer

from arena.cli.exits import BAD_INPUT, DONE, INTERRUPTED
from arena.cli.problems import error_code, error_lines
from arena.core.errors import ArenaError

HELP = """A tournament harness for bots that play card games with hidden hands and chance.

Start with: arena games · arena bots · arena match stand random · arena tournament run --help
"""


def build() -> typer.Typer:
    """The application with every verb, ours and those of extensions."""
    from arena.cli import (
        bots,
        check,
        db,
        doctor,
        games,
        leaderboard,
        match,
        new,
        replay,
        submit,
        tournament,
    )
    from arena.cli.wiring import registry

    app = typer.Typer(
        name="arena",
        help=HELP,
        no_args_is_help=True,
        rich_markup_mode=None,  # plain help: brackets stay, pipes get no boxes
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
        epilog="Exit codes: 0 done, 1 a check failed, 2 bad input, 130 interrupted.",
    )
    for verb in (
        games,
        bots,
        match,
        tournament,
        leaderboard,
        replay,
        check,
        new,
        submit,
        doctor,
        db,
    ):
        verb.register(app)
    registry().notify("arena_commands", app=app)
    return app


def main() -> None:
    """Runs the command line; every error of the user's is one line on stderr, exit code 2."""
    # Workers inherit it: the order of a bot's sets must not change from run to run.
    os.environ["PYTHONHASHSEED"] = "0"
    try:
        # Not standalone: what is wrong with the command's words becomes one line here too.
        sys.exit(build()(standalone_mode=False))
    except typer.Abort:
        sys.exit(INTERRUPTED)
    except typer.TyperException as error:
        print(_usage_error(error), file=sys.stderr)
        sys.exit(BAD_INPUT)
    except ArenaError as error:
        for line in error_lines(error):
            print(line, file=sys.stderr)
        sys.exit(error_code(error))
    except BrokenPipeError:
        # The reader has seen enough (`arena ... | head`); Python would complain at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(DONE)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


def _usage_error(error: typer.TyperException) -> str:
    """What is wrong with a command's words, with where to look; a bare command's help as it is."""
    text = error.format_message()
    if text.startswith("Usage:"):
        return text
    context: typer.Context | None = getattr(error, "ctx", None)
    commands = getattr(context and context.command, "commands", {})
    choices = f" Choices: {', '.join(commands)}." if "command" in text and commands else ""
    where = f" (see: {context.command_path} --help)" if context else ""
    return f"arena: {text}{choices}{where}"


if __name__ == "__main__":
    main()
