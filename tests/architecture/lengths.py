"""Files of more than 450 lines and functions of more than 60: advice, not a limit.

Each has its reason here, or ``make lint`` fails. They are listed by
``python -m tests.architecture.lengths``.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDERS = (
    *("arena", "bots/arena_bots", "tournaments/arena_tournaments", "results/arena_results"),
    *("benchmarks", "examples"),
)
MAX_FILE, MAX_LINES = 450, 60
REASONS = {
    "arena/cli/app.py:build": "a line for each verb, twice",
    "arena/cli/verbs/results/leaderboard.py:leaderboard": "half of it are its options",
    "arena/cli/verbs/tournaments/compare.py:compare_command": "half of it are its options",
    "arena/api/exploit.py:exploit": "half of it are its arguments and what they are",
    "arena/cli/verbs/results/exploit.py:exploit_command": "half of it are its options",
    "arena/cli/verbs/results/learn.py:learn_value_command": "half of it are its options",
    "arena/cli/verbs/results/replay.py:replay_command": "half of it are its options",
    "arena/cli/verbs/machine/serve.py:serve_command": "half of it are its options",
    "arena/cli/verbs/bots/submit.py:submit_verb": "half of it are its options",
    "arena/games/sabacc/parts/situation.py:situation": "one keyword for each part of a hand",
    "arena/match/play.py:play_match": "the hot path: calls cost too much for every decision",
    "arena/service/bots/submit.py:submit": "half of it are its arguments and what they are",
    "benchmarks/corpus.py": "one subject: all that is played, hashed and compared",
    "arena/core/tournaments/format.py": "types and contracts, most of them documentation",
}
"""The reason for the length of each file, and of each function by file and qualified name."""


def functions(path: Path) -> Iterator[tuple[str, int]]:
    """Yields the qualified name and the length in lines of each function of a file."""
    pending: list[tuple[str, ast.AST]] = [("", ast.parse(path.read_text("utf-8")))]
    for prefix, node in pending:
        for part in ast.iter_child_nodes(node):
            if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                name = f"{prefix}{part.name}"
                pending.append((f"{name}.", part))
                if not isinstance(part, ast.ClassDef):
                    yield name, (part.end_lineno or 0) - part.lineno + 1
            else:
                pending.append((prefix, part))


def long_parts(root: Path = ROOT) -> dict[str, int]:
    """Lengths of the files and functions that are long, by file and qualified name."""
    found = {}
    for path in (path for folder in FOLDERS for path in sorted((root / folder).rglob("*.py"))):
        name, lines = str(path.relative_to(root)), len(path.read_text("utf-8").splitlines())
        found |= {name: lines} if lines > MAX_FILE else {}
        found |= {f"{name}:{each}": lines for each, lines in functions(path) if lines > MAX_LINES}
    return found


def main() -> int:
    found = long_parts()
    for name, lines in found.items():
        print(f"{name}: {lines} lines: {REASONS.get(name, 'NO REASON; shorten it, or give one')}")
    stale = REASONS.keys() - found.keys()
    for name in sorted(stale):
        print(f"{name}: not so long any more; remove its reason")
    return int(bool(stale or found.keys() - REASONS.keys()))


if __name__ == "__main__":
    sys.exit(main())
