"""The check of long files and functions finds them all, and names those without a reason."""

from __future__ import annotations

import re

import pytest

from tests.architecture import lengths
from tests.architecture.lengths import MAX_FILE, MAX_LINES, functions, main

MAX_NAME_LENGTH = 70
BODY = "\n".join(["    pass"] * MAX_LINES)


@pytest.mark.thorough("make lint lists it")
def test_everything_long_has_a_reason_and_every_reason_something_long(capsys):
    assert main() == 0, capsys.readouterr().out
    assert all(reason.strip() for reason in lengths.REASONS.values())


def test_methods_and_functions_in_functions_are_measured(tmp_path):
    file = tmp_path / "one.py"
    file.write_text("class A:\n    async def b(self):\n        if 1:\n            def c(): pass\n")
    assert dict(functions(file)) == {"A.b": 3, "A.b.c": 1}


@pytest.mark.parametrize(
    ("body", "reasons", "printed"),
    [
        (BODY, {}, f"arena/one.py:f: {MAX_LINES + 1} lines: NO REASON"),
        ("    pass" + "\n" * MAX_FILE, {}, f"one.py: {MAX_FILE + 2} lines: NO REASON"),
        ("    pass", {"arena/one.py:f": "why"}, "arena/one.py:f: not so long"),
    ],
)
def test_a_missing_reason_or_a_stale_one_fails_the_check(
    tmp_path, monkeypatch, capsys, body, reasons, printed
):
    (tmp_path / "arena").mkdir()
    (tmp_path / "arena" / "one.py").write_text(f"def f():\n{body}\n")
    monkeypatch.setattr(lengths, "REASONS", reasons)
    found = lengths.long_parts(tmp_path)
    monkeypatch.setattr(lengths, "long_parts", lambda: found)
    assert main() == 1
    assert printed in capsys.readouterr().out


def test_names_of_tests_are_short_enough_for_a_line():
    texts = [path.read_text("utf-8") for path in (lengths.ROOT / "tests").rglob("test_*.py")]
    names = {name for text in texts for name in re.findall(r"def (test_\w+)", text)}
    assert [name for name in sorted(names) if len(name) > MAX_NAME_LENGTH] == []
