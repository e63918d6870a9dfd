"""Language models: tokens and cost per match, and the matches that the harness saves.

    python -m benchmarks.models              prints the tables
    python -m benchmarks.models --write      writes them into docs/benchmarks.md, too

Run by ``make bench-models``. The tables are those of ``benchmarks.prompts`` and of the experiment
in ``examples/language_models``; each run gives the same.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from benchmarks.prompts import MATCHES, table

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "benchmarks.md"
EXPERIMENT = ROOT / "examples" / "language_models" / "experiment.py"


def replaced(page: str, name: str, text: str) -> str:
    """Returns a page with the tables of a name replaced."""
    begin, end = f"<!-- {name}: make bench-models WRITE=1 -->", f"<!-- end of {name} -->"
    before, _, rest = page.partition(begin)
    return f"{before}{begin}\n\n{text}\n\n{end}{rest.partition(end)[2]}"


def main() -> None:
    """Prints or writes the tables."""
    command = [sys.executable, str(EXPERIMENT)]
    ranks = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    tables = {"prompts": table(MATCHES), "experiment": ranks}
    page = PAGE.read_text("utf-8")
    for name, text in tables.items():
        print(text, end="\n\n")
        page = replaced(page, name, text)
    if "--write" in sys.argv[1:]:
        PAGE.write_text(page, "utf-8")


if __name__ == "__main__":
    main()
