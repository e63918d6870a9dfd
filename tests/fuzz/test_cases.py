"""Files of rule cases, as ``arena check cases`` reads them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from arena.plugins.registry import Registry
from arena.testing.conformance import run_file
from tests.fuzz.fuzzing import BYTES, fuzz

DATA = Path(__file__).parent.parent / "conformance" / "data"
PIECES = (
    *(b"null", b"true", b"-1", b"1e400", b"NaN", b"[]", b"{}", b'""', b'"\\u0000"', b'"\\ud800"'),
    *(b"[" * 2_000, b'{"a":' * 2_000, b'"do":', b'"by":"A"', b"[1,2]", b"1.5", b'"A"', b'{"A":1}'),
)
FAULT = re.compile(r"\w+(Error|Exception|Iteration|Exit|Fault): ")
"""How the answer to a case begins when the runner itself failed."""


def cases_of(game: str) -> list[bytes]:
    files = sorted(DATA.glob(f"{game}*.json"))
    cases = [case for file in files for case in json.loads(file.read_text())]
    return [json.dumps([case], ensure_ascii=False).encode() for case in cases]


@pytest.mark.parametrize("game", ["pazaak", "sabacc"])
def test_cases_are_run_or_refused(tmp_path, game):
    file = tmp_path / "cases.json"
    drivers = Registry().case_drivers()

    def run(data: bytes) -> None:
        file.write_bytes(data)
        for result in run_file(file, drivers):
            json.dumps(result.actual)
            assert not FAULT.match(result.detail), result.detail

    fuzz(f"cases of {game}", cases_of(game), run, (*BYTES, *PIECES))
