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
    """Returns a row for each pairing: its score, and matches until 95 % know who is better.

    The intervals of mirrored deals, with luck and without, are the service's own. That of
    independent deals comes from the spread of the same matches, each for itself.
    """
    rows = []
    for pair in tournament.luck()["pairs"]:
        if MODELS.index(pair["name"]) > MODELS.index(pair["against"]):
            continue
        points = [
            match["return0" if match["name0"] == pair["name"] else "return1"] / 2
            for match in tournament.matches()
            if {match["name0"], match["name1"]} == {pair["name"], pair["against"]}
        ]
        errors = (
            Z95 * stdev(points) / len(points) ** 0.5,
            pair["score_error"],
            pair["fitted_error"],
        )
        means = (pair["score"], pair["score"], pair["fitted"])
        needed = [
            len(points) * (error / (mean - 0.5)) ** 2
            for error, mean in zip(errors, means, strict=True)
        ]
        gains = [(errors[0] / error) ** 2 for error in errors[1:]]
        rows.append(
            [
                f"`{pair['name']}`, `{pair['against']}`",
                f"{pair['score']:.3f}",
                f"{pair['fitted']:.3f}",
                *(f"{gain:.1f}x" for gain in gains),
                *(f"{matches:.0f}" for matches in needed),
            ]
        )
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
    "rating per $",
)
SAVED = (
    "models",
    "score of the first",
    "luck-adjusted",
    "mirrored deals save",
    "and luck",
    "independent deals need",
    "mirrored",
    "luck-adjusted",
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
