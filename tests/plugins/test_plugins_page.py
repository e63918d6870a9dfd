"""docs/reference/hooks.md lists every hook with its signature, the contracts, and what is ours."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest
from arena_tournaments.scoring.tiebreaks import TIE_BREAKS

from arena.core.errors import UnknownName
from arena.core.export import Exporter
from arena.core.parts.cases import CaseDriver
from arena.core.tournaments.executor import ExecutorKind
from arena.core.tournaments.format import Format
from arena.core.tournaments.rating import RatingSystem
from arena.plugins import hookspecs, manager, registry

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "reference" / "hooks.md").read_text("utf-8")


def rows(heading: str) -> list[list[str]]:
    """The cells of the table whose heading begins so."""
    _, _, rest = PAGE.partition(f"| {heading} |")
    assert rest, heading
    table = rest.partition("\n\n")[0].splitlines()[2:]
    return [line.strip("| ").split(" | ") for line in table]


def signature(hook) -> str:
    return f"`{hook.__name__}{inspect.signature(hook)}`".replace("'", "")


def members(contract) -> set[str]:
    methods = {name for name in vars(contract) if not name.startswith("_")}
    return methods | set(inspect.get_annotations(contract))


def test_every_hook_has_its_row():
    hooks = [each for name, each in vars(hookspecs).items() if name.startswith("arena_")]
    assert len(hooks) > 10
    assert {row[0] for row in rows("hook")} == set(map(signature, hooks))


def test_both_groups_of_entry_points_have_theirs():
    assert [row[0] for row in rows("group")] == [f"`{registry.BOT_GROUP}`", f"`{manager.GROUP}`"]


@pytest.mark.parametrize("contract", [Format, RatingSystem, Exporter, ExecutorKind, CaseDriver])
def test_every_contract_has_its_members(contract):
    (row,) = (row for row in rows("contract") if row[0] == f"`{contract.__name__}`")
    listed = re.findall(r"`(.*?)`", row[1])
    assert len(listed) == len(set(listed))
    assert set(listed) == members(contract)


def choices(find) -> set[str]:
    with pytest.raises(UnknownName) as raised:
        find("nothing")
    return set(raised.value.choices)


def test_what_is_ours_is_what_the_registry_has():
    found = registry.Registry()
    ours = {
        "Format": choices(found.format),
        "RatingSystem": choices(found.rating_system),
        "Exporter": choices(found.exporter),
        "ExecutorKind": choices(found.executor),
        "CaseDriver": set(found.case_drivers()),
    }
    listed = {row[0].strip("`"): set(re.findall(r"`(.*?)`", row[2])) for row in rows("contract")}
    assert listed == ours


def test_the_tie_breaks_are_those_of_the_code():
    ours = [row for row in TIE_BREAKS.values() if row.data != "ratings"]
    shown = [(f"`{row.name}`", row.summary, row.modifiers or "-") for row in ours]
    assert [tuple(row) for row in rows("tie-break")] == shown


@pytest.mark.parametrize(
    "page",
    ["docs/reference/hooks.md", "docs/howto/python.md", "docs/reference/json.md", "README.md"],
)
def test_links_lead_to_files_and_headings(page):
    links = re.findall(r"\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)", (ROOT / page).read_text("utf-8"))
    assert links
    for file, heading in links:
        target = ROOT / page if not file else (ROOT / page).parent / file
        assert target.exists(), file
        if heading:
            titles = re.findall(r"^#+ (.*)$", target.read_text("utf-8"), re.M)
            assert heading in {re.sub(r"[^\w -]", "", t).lower().replace(" ", "-") for t in titles}


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "ARCHITECTURE.md"])
def test_it_is_found(page):
    assert "(docs/reference/hooks.md)" in (ROOT / page).read_text("utf-8")
