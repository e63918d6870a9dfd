"""Files of rule cases, as ``arena check cases`` reads them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from arena.plugins.registry import Registry
from arena.testing.conformance import run_file
from tests.fuzz.fuzzing import Run, Target

DATA = Path(__file__).parents[2] / "conformance" / "data"
PIECES = (
    *(b"null", b"true", b"-1", b"1e400", b"NaN", b"[]", b"{}", b'""', b'"\\u0000"', b'"\\ud800"'),
    *(b"[" * 2_000, b'{"a":' * 2_000, b'"do":', b'"by":"A"', b"[1,2]", b"1.5", b'"A"', b'{"A":1}'),
)
FAULT = re.compile(r"\w+(Error|Exception|Iteration|Exit|Fault): ")
"""The beginning of the answer to a case when the runner itself failed."""


def cases_of(game: str) -> list[bytes]:
    files = sorted(DATA.glob(f"{game}*.json"))
    cases = [case for file in files for case in json.loads(file.read_text())]
    return [json.dumps([case], ensure_ascii=False).encode() for case in cases]


@contextmanager
def cases(folder: Path) -> Iterator[Run]:
    """Files of cases, run as far as they go."""
    file = folder / "cases.json"
    drivers = Registry().case_drivers()

    def run(data: bytes) -> None:
        file.write_bytes(data)
        for result in run_file(file, drivers):
            json.dumps(result.actual)
            assert not FAULT.match(result.detail), result.detail

    yield run


TARGETS = tuple(
    Target(name=f"cases-of-{game}", seeds=partial(cases_of, game), open=cases, pieces=PIECES)
    for game in ("pazaak", "sabacc")
)
