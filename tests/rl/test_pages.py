"""docs/howto/learning.md: its examples run, and its bot plays."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import arena

ROOT = Path(__file__).parents[2]
BLOCKS = re.findall(
    r"^```python\n(.*?)^```\n", (ROOT / "docs/howto/learning.md").read_text("utf-8"), re.M | re.S
)


@pytest.mark.thorough(
    "test_suites and test_properties use the same functions", everyday=["first", "bot"]
)
@pytest.mark.parametrize(
    "block", range(len(BLOCKS)), ids=["first", "opponents", "deals", "turns", "tables", "bot"]
)
def test_an_example_of_the_page_runs(block):
    names: dict[str, object] = {"__name__": "page"}
    exec(compile(BLOCKS[block], "learning.md", "exec"), names)
    if "Learned" in names:
        match = arena.play_match(names["Learned"], "random", seed=1)
        assert match.outcome.termination == "rules"
