"""The command ``arena``: one application, one verb per file, errors as one line.

Exit codes: 0 done, 1 a check failed, 2 bad input, 130 interrupted.
"""

from __future__ import annotations

import os
import sys

import typer

from arena.core.errors import BadInput, BadSpec

DONE, CHECK_FAILED, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130
"""The exit codes."""

HELP = """A tournament harness for bots that play card games with hidden hands and chance.

Start with: arena games · arena bots · arena match stand random · arena tournament run --help
"""


def build() -> typer.Typer:
    """The application with every verb, ours and those of extensions."""
    from arena.cli import bots, check, db, games, leaderboard, match, new, replay, tournament
    from arena.cli.wiring import registry

    app = typer.Typer(
        name="arena",
        help=HELP,
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
        epilog="Exit codes: 0 done, 1 a check failed, 2 bad input, 130 interrupted.",
    )
    for verb in (games, bots, match, tournament, leaderboard, replay, check, new, db):
        verb.register(app)
    registry().notify("arena_commands", app=app)
    return app


def main() -> None:
    """Runs the command line; every error of the user's is one line on stderr, exit code 2."""
    # Workers inherit it: the order of a bot's sets must not change from run to run.
    os.environ["PYTHONHASHSEED"] = "0"
    try:
        build()()
    except BadSpec as error:
        for problem in error.problems:
            print(f"arena: {error.where}: {problem}", file=sys.stderr)
        sys.exit(BAD_INPUT)
    except BadInput as error:
        print(f"arena: {error}", file=sys.stderr)
        sys.exit(BAD_INPUT)
    except BrokenPipeError:
        # The reader has seen enough (`arena ... | head`); Python would complain at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(DONE)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


if __name__ == "__main__":
    main()
