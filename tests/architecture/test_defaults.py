"""Numbers that are defaults or bounds of commands and functions have one home, below the faces."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PLAIN = {0, 1}
"""Numbers that mean no choice of ours: the first, none, at least one."""


def numbers(path: Path) -> list[str]:
    """The numbers that the public functions of a file write out as defaults or as bounds."""
    found = []
    for node in ast.walk(ast.parse(path.read_text())):
        values = []
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() if not node.name.startswith("_"):
                values = [*node.args.defaults, *node.args.kw_defaults]
            case ast.Call(func=ast.Attribute(attr="Option" | "Argument")):
                values = [each.value for each in node.keywords if each.arg == "max"]
        found += [
            f"{path.name}:{value.lineno}: {value.value}"
            for value in values
            if isinstance(value, ast.Constant)
            and type(value.value) in (int, float)
            and value.value not in PLAIN
        ]
    return found


@pytest.mark.parametrize("face", ["api", "cli"])
def test_faces_write_no_default_or_bound_of_their_own(face):
    files = sorted((ROOT / "arena" / face).rglob("*.py"))
    if face == "cli":  # the others are no commands, but texts and displays
        files = [path for path in files if "typer.Option" in path.read_text()]
    assert len(files) > 15
    assert [number for path in files for number in numbers(path)] == []


def test_a_number_is_found(tmp_path):
    path = tmp_path / "verb.py"
    path.write_text(
        "import typer\n"
        "def verb(a: Annotated[int, typer.Option(min=0, max=9)] = 20, *, b=1, c=0.5): pass\n"
    )
    assert [number.rpartition(" ")[2] for number in numbers(path)] == ["20", "0.5", "9"]
