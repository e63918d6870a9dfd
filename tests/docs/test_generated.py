"""The generated parts of the documentation site, and its check for requests to other hosts."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import typer

import arena
from arena.cli.app import build
from docs.generated import append_generated, foreign

ROOT = Path(__file__).parents[2]


def generated(page: str) -> str:
    source = [(ROOT / f"{page}.md").read_text("utf-8")]
    append_generated(None, page, source)
    return source[0]


def test_every_command_has_a_section_with_its_options():
    page = generated("docs/reference/cli")
    found = re.findall(r"^## (arena .*)$", page, re.M)
    assert len(found) == len(set(found))
    commands = typer.main.get_command(build()).commands
    assert {name.split()[1] for name in found} == set(commands)
    section = page.partition("## arena tournament run\n")[2].partition("\n## ")[0]
    run = commands["tournament"].commands["run"]
    assert {option for each in run.params for option in each.opts if option[:2] == "--"} <= set(
        re.findall(r"--[\w-]+", section)
    )
    assert "\b" not in page


def test_every_name_of_the_facade_is_on_the_page():
    page = generated("docs/reference/python")
    named = set(re.findall(r"^\.\. auto\w+:: .*?(\w+)$", page, re.M))
    assert set(arena.__all__) <= named
    assert f".. automodule:: {arena.stats.elo.__module__}\n" in page  # as a module by another name


def test_the_index_leads_to_every_page():
    trees = re.findall(r"^```\{toctree\}.*?\n\n(.*?)\n```$", generated("docs/index"), re.M | re.S)
    paths = [ROOT / f"{name[1:]}.md" for tree in trees for name in tree.split()]
    assert len(paths) == len(set(paths))
    pages = {path for path in (ROOT / "docs").rglob("*.md") if "_build" not in path.parts}
    assert pages - {path.resolve() for path in paths} == {ROOT / "docs" / "index.md"}


def test_the_index_links_every_page_by_its_title():
    index = (ROOT / "docs" / "index.md").read_text("utf-8")
    linked = {
        (ROOT / "docs" / path).resolve() for path in re.findall(r"\]\(([^)#]+\.md)[^)]*\)", index)
    }
    pages = {path for path in (ROOT / "docs").rglob("*.md") if "_build" not in path.parts}
    assert pages - linked == {ROOT / "docs" / "index.md"}


@pytest.mark.parametrize(
    "text",
    [
        '<script defer src="https://cdn.example/x.js"></script>',
        '<link rel="stylesheet" type="text/css" href="//cdn.example/x.css">',
        '<link href="https://cdn.example/x.css" rel="stylesheet">',
        '<img alt="badge" src="http://cdn.example/x.svg">',
        "@font-face { src: url(https://cdn.example/x.woff2) }",
        '@import "https://cdn.example/x.css";',
    ],
)
def test_what_a_browser_would_load_from_elsewhere_is_found(text):
    (address,) = foreign(text)
    assert "//cdn.example/x" in address


def test_links_and_names_are_not_loaded():
    assert (
        foreign('<a href="https://example.org">x</a> <svg xmlns="http://www.w3.org/2000/svg">')
        == []
    )
    assert foreign('<link rel="next" href="https://example.org/2">') == []
