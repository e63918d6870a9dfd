"""Seconds from an upload to the leaderboard in a league that plays (make bench-web).

python -m benchmarks.league [BOTS] [NEWCOMERS]

The server is ``arena serve --league``, all submitted bots are confined, and the league plays all
the time: a newcomer comes into the middle of a round.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from http import HTTPStatus
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, sleep
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from arena_results.bots.authors import new_token
from arena_results.bots.submissions import NewSubmission, add
from arena_results.file.database import open_database

from arena.plugins.submissions.archives import packed
from arena.plugins.submissions.submission import read_package

HOUSE = ("optimal", "counter", "hand-saver", "stand(at=17)", "random")
LEAGUE = f'name = "Bench"\nhouse = {list(HOUSE)}\n[anchors]\n"stand(at=17)" = 1500\n'
BOT = '''"""Stands at a total."""
from arena import Bot

__version__ = "1"


class {name}(Bot):
    game = "pazaak"

    def act(self, observation):
        end_turn, stand, *_ = observation.legal_actions
        return stand if observation.total * 7 + {luck} >= 7 * {at} else end_turn
'''
MAX_SECONDS = 600.0
"""Seconds after which something is wrong."""


def code(number: int) -> str:
    """Returns a bot; of neighbouring numbers strengths differ."""
    return BOT.format(name=f"Bench{number:03}", at=12 + number % 8, luck=number % 7)


def enter(database: str, folder: Path, number: int) -> None:
    """Stores a submitted bot as if it had been qualified."""
    path = folder / f"bench{number:03}.py"
    path.write_text(code(number))
    package = read_package(str(path))
    with open_database(database) as results:
        new = NewSubmission(
            **package.declared() | {"games": ("pazaak",), "version": "1", "author": f"A{number}"},
            content=package.content,
            deterministic=True,
        )
        add(results, new, packed(package.files))


@contextmanager
def serving(folder: Path, database: str) -> Iterator[str]:
    """Runs the server of the league, and yields its address."""
    (folder / "league.toml").write_text(LEAGUE)
    arena = str(Path(sys.executable).with_name("arena"))
    command = [arena, "serve", "--league", str(folder / "league.toml"), "--port", "0"]
    command += ["--db", database]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            yield server.stdout.readline().split(" ")[0].rstrip("/")
        finally:
            server.terminate()


def get(address: str) -> Any:  # noqa: ANN401
    """Returns a document of the server."""
    with urlopen(address, timeout=MAX_SECONDS) as answer:
        return json.load(answer)


def upload(address: str, token: str, number: int) -> int:
    """Sends a bot; returns the number of its submission."""
    request = Request(
        f"{address}/api/submissions?file=bench{number:03}.py",
        code(number).encode(),
        {"Authorization": f"Bearer {token}"},
    )
    with urlopen(request, timeout=MAX_SECONDS) as answer:
        return int(json.load(answer)["id"])


def seconds_until(condition: Callable[[], object], begun: float) -> float:
    """Waits until something is so; returns the seconds since ``begun``."""
    while not condition():
        if perf_counter() - begun > MAX_SECONDS:
            raise TimeoutError(f"not within {MAX_SECONDS:g} s")
        sleep(0.25)
    return perf_counter() - begun


class Season:
    """The season of a served league, as visitors see it.

    Args:
        address: That of its site.
    """

    def __init__(self, address: str) -> None:
        self._address = address

    def rated(self) -> set[str]:
        """Returns the names on the leaderboard."""
        try:
            rows = get(f"{self._address}/api/leaderboard?tournament=1")
        except HTTPError as error:
            if error.code != HTTPStatus.NOT_FOUND:  # no match is stored yet
                raise
            return set()
        return {row["name"] for row in rows}

    def state(self, submission: int) -> str:
        """Returns the state of a submission."""
        return str(get(f"{self._address}/api/submissions/{submission}")["state"])

    def bring(self, token: str, number: int) -> None:
        """Sends a bot, and prints how long each step takes."""
        begun = perf_counter()
        submission = upload(self._address, token, number)
        taken = perf_counter() - begun
        decided = seconds_until(
            lambda: self.state(submission) not in ("received", "qualifying"), begun
        )
        if (state := self.state(submission)) != "entered":
            raise SystemExit(f"submission is {state}")
        shown = seconds_until(lambda: f"bench{number:03}" in self.rated(), begun)
        print(
            f"newcomer to {number} bots: taken after {taken:.1f} s, qualified after "
            f"{decided:.1f} s, on the leaderboard after {shown:.1f} s (aimed at: 60)",
            flush=True,
        )


def main() -> None:
    """Fills a league, serves it, and sends newcomers."""
    bots = int(sys.argv[1]) if sys.argv[1:] else 50
    newcomers = int(sys.argv[2]) if sys.argv[2:] else 3
    with TemporaryDirectory() as name:
        folder = Path(name)
        database = f"sqlite:///{folder}/league.db"
        with open_database(database, create=True) as results:
            token = new_token(results, "Newcomer", datetime.now(UTC))
        for number in range(len(HOUSE), bots):
            enter(database, folder, number)
        with serving(folder, database) as address:
            season = Season(address)
            first = seconds_until(lambda: len(season.rated()) >= bots, perf_counter())
            print(f"{bots} bots are on the leaderboard after {first:.1f} s", flush=True)
            for number in range(bots, bots + newcomers):
                season.bring(token, number)


if __name__ == "__main__":
    main()
