"""Ranks three language models, and shows how many matches mirrored deals and luck saved.

    python examples/language_models/experiment.py [--games N]

The models are those of the files beside it. The fake server (``fake.py``) answers for them, so that
their strength is known: large, medium, small. The tables are Markdown, and the same in each run.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import stdev

import arena

HERE = Path(__file__).parent
MODELS = ("large", "medium", "small")
"""The models, the strongest first."""
GAMES, SEED, Z95 = 100, 1, 1.96
WANTED = 0.05
"""Half of a 95 % interval of a score for which matches are reckoned."""
Rows = Sequence[Sequence[str]]


@contextmanager
def served() -> Iterator[str]:
    """Runs the fake server in a process of its own; yields the address of its endpoint."""
    command = [sys.executable, str(HERE / "fake.py"), "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.kill()


def bot(name: str, url: str) -> arena.EndpointBot:
    """Returns a model of a file, at another address."""
    keys = tomllib.loads((HERE / f"{name}.toml").read_text("utf-8")) | {"url": url}
    del keys["kind"]
    return arena.EndpointBot(name=name, **keys)


def ranked(board: Sequence[arena.Row]) -> Rows:
    """Returns a row for each model: its rating, and what it took."""
    found = []
    for row in board:
        low, high = row["low"], row["high"]
        found.append(
            [
                f"`{row['name']}`",
                f"{row['rating']:.0f} ({low:.0f} to {high:.0f})",
                f"{row['illegal']:.1%}",
                str(row["played_for"]),
                f"{row['tokens']:,.0f}",
                f"${row['cost']:.4f}",
                f"{row['rating_per_dollar']:,.0f}",
            ]
        )
    return found


def saved(tournament: arena.Tournament) -> Rows:
    """Returns a row for each pairing: its scores, and the matches and dollars that ± 0.05 takes.

    The intervals of mirrored deals, with luck and without, are the service's own. The interval of
    independent deals comes from the spread of the same matches, each by itself.
    """
    costs = {row["name"]: row["cost"] for row in tournament.document()["endpoints"]}
    rows = []
    for pair in tournament.luck()["pairs"]:
        first, second = pair["name"], pair["against"]
        if MODELS.index(first) > MODELS.index(second):
            continue
        points = [
            row["return0" if row["name0"] == first else "return1"] / 2
            for row in tournament.matches()
            if {row["name0"], row["name1"]} == {first, second}
        ]
        single = Z95 * stdev(points) / len(points) ** 0.5
        cells = []
        for error in (single, pair["score_error"], pair["fitted_error"]):
            matches = len(points) * (error / WANTED) ** 2
            cells.append(f"{matches:.0f}, ${matches * (costs[first] + costs[second]):.2f}")
        scores = f"{pair['score']:.3f}", f"{pair['fitted']:.3f} ± {pair['fitted_error']:.3f}"
        gain = f"{(single / pair['fitted_error']) ** 2:.0f}x"
        rows.append([f"`{first}`, `{second}`", *scores, *cells, gain])
    return rows


def table(heads: Sequence[str], rows: Rows) -> str:
    """Returns a table in Markdown."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def played(games: int, folder: Path) -> str:
    """Plays the experiment; returns its tables."""
    with served() as url, arena.open_database(folder / "models.db") as database:
        tournament = database.run([bot(name, url) for name in MODELS], games=games, seed=SEED)
        ranks = table(RANKS, ranked(database.leaderboard(tournament=tournament.number)))
        return f"{ranks}\n\n{table(SAVED, saved(tournament))}"


RANKS = (
    "model",
    "rating, 95 %",
    "illegal",
    "played for it",
    "tokens per match",
    "cost per match",
    "gain per $",
)
SAVED = (
    "models",
    "score of the first",
    "luck-adjusted",
    "independent deals",
    "mirrored deals",
    "luck-adjusted",
    "saved",
)


def main() -> None:
    """Prints the tables."""
    parser = argparse.ArgumentParser(description="Ranks three models of a fake server.")
    parser.add_argument("--games", type=int, default=GAMES, help="matches per pairing")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        print(played(given.games, Path(folder)))


if __name__ == "__main__":
    main()
