"""The check of long functions finds them all, and names those without a reason."""

from __future__ import annotations

import pytest

from tests.architecture import long_functions
from tests.architecture.long_functions import LONGEST, functions, main

BODY = "\n".join(["    pass"] * LONGEST)


def test_every_long_function_has_a_reason_and_every_reason_a_function(capsys):
    assert main() == 0, capsys.readouterr().out
    assert all(reason.strip() for reason in long_functions.REASONS.values())


def test_methods_and_functions_in_functions_are_measured(tmp_path):
    file = tmp_path / "one.py"
    file.write_text("class A:\n    async def b(self):\n        if 1:\n            def c(): pass\n")
    assert dict(functions(file)) == {"A.b": 3, "A.b.c": 1}


@pytest.mark.parametrize(
    ("body", "reasons", "printed"),
    [
        (BODY, {}, f"arena/one.py:f: {LONGEST + 1} lines: NO REASON"),
        ("    pass", {"arena/one.py:f": "why"}, "arena/one.py:f: not longer than"),
    ],
)
def test_a_missing_reason_or_a_stale_one_fails_the_check(
    tmp_path, monkeypatch, capsys, body, reasons, printed
):
    (tmp_path / "arena").mkdir()
    (tmp_path / "arena" / "one.py").write_text(f"def f():\n{body}\n")
    monkeypatch.setattr(long_functions, "REASONS", reasons)
    found = long_functions.long_functions(tmp_path)
    monkeypatch.setattr(long_functions, "long_functions", lambda: found)
    assert main() == 1
    assert printed in capsys.readouterr().out
