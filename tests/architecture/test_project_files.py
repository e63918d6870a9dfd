"""Files for people and services around the project agree with the project itself."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
WORKFLOW = (ROOT / ".github" / "workflows" / "test.yml").read_text()
HOOKS = (ROOT / ".pre-commit-config.yaml").read_text()
MAKEFILE = (ROOT / "Makefile").read_text()
AUTOMATED = sorted([*(ROOT / ".github").rglob("*.*"), ROOT / ".pre-commit-config.yaml"])
PAGES = (
    "README.md",
    "CONTRIBUTING.md",
    "ARCHITECTURE.md",
    "SECURITY.md",
    "CODE_OF_CONDUCT.md",
    "CHANGELOG.md",
)
DOCS = sorted(map(str, [*ROOT.glob("docs/*.md"), *ROOT.glob("docs/[!_]*/*.md")]))
LINK = re.compile(r"\]\((?!https?:|#|mailto:)([^)#\s]+)")


def test_the_workflow_installs_the_packages_that_ci_installs():
    ci = (ROOT / ".ci" / "run").read_text()
    named = {
        name
        for added in re.findall(r"(?:packages|later)\+=\((.*?)\)", ci)
        for name in added.split()
    }
    listed = re.search(r"--no-install-recommends\n(.*)\n", WORKFLOW)
    assert listed is not None
    assert set(listed[1].split()) == named


def commands_of_ci() -> list[str]:
    """Returns what ``.ci/run`` checks: some parts side by side, then one after the other."""
    text = (ROOT / ".ci" / "run").read_text()
    (beside,) = re.findall(r"^parts=\((.*)\)$", text, re.MULTILINE)
    after = re.findall(
        r"^(?:  )?(?:\.venv/bin/)?(make test.*|python -m benchmarks\.\w+)(?: \|\| .*)?$",
        text,
        re.MULTILINE,
    )
    return [*(f"make {part}" for part in beside.split()), *after]


def test_the_workflow_runs_the_make_targets_of_ci():
    for command in commands_of_ci():
        assert f"sudo {command} " in WORKFLOW or not command.startswith("make ")


def test_contributors_read_what_ci_runs_in_its_order():
    page = (ROOT / "CONTRIBUTING.md").read_text()
    listed = re.findall(r"^\| `(.+?)` \|", page.partition("## What CI runs")[2], re.MULTILINE)
    assert len(commands_of_ci()) == 5
    assert listed[:5] == commands_of_ci()


def test_the_workflow_tries_every_python_that_is_supported():
    tried = set(re.findall(r'"(3\.\d+)"', WORKFLOW))
    least = PROJECT["requires-python"].removeprefix(">=")
    named = {each.rpartition(" ")[2] for each in PROJECT["classifiers"] if ":: 3." in each}
    assert least in tried
    assert named <= tried


@pytest.mark.parametrize("text", [WORKFLOW, HOOKS], ids=["workflow", "hooks"])
def test_every_make_target_that_is_called_exists(text):
    called = set(re.findall(r"(?:sudo|entry:|name:) make ([a-z][a-z-]*)", text))
    assert called
    for target in called:
        assert re.search(rf"^{target}:", MAKEFILE, re.MULTILINE), target


def test_the_hooks_are_local_and_run_tools_that_are_installed():
    assert re.findall(r"repo: (\S+)", HOOKS) == ["local"]
    tools = re.findall(r"entry: \.venv/bin/(\S+)", HOOKS)
    assert tools
    lock = (ROOT / "requirements.lock").read_text()
    for tool in tools:
        assert re.search(rf"^{tool}==", lock, re.MULTILINE), tool


@pytest.mark.parametrize("path", AUTOMATED, ids=lambda path: path.name)
def test_automated_files_name_no_host(path):
    assert "://" not in path.read_text()


def test_holes_are_reported_where_somebody_reads_them():
    addresses = [author["email"] for author in PROJECT["authors"]]
    assert addresses
    security = (ROOT / "SECURITY.md").read_text()
    reserved = all(address.endswith(".example") for address in addresses)  # RFC 2606: no mail
    assert ("a placeholder that takes no mail" in security) == reserved
    assert "`pyproject.toml`" in security
    assert ("urls" not in PROJECT) == reserved
    assert "SECURITY.md" in (ROOT / "CODE_OF_CONDUCT.md").read_text()


def test_the_changelog_begins_with_the_version_of_the_project():
    headings = re.findall(r"^## (.*)$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert re.fullmatch(r"(\S+)(?: - \d{4}-\d\d-\d\d)?", headings[0])[1] == PROJECT["version"]


@pytest.mark.parametrize("page", [*PAGES, *DOCS])
def test_links_in_documents_point_to_files(page):
    path = ROOT / page
    for target in LINK.findall(path.read_text()):
        assert (path.parent / target).exists(), target


def test_the_architecture_names_files_that_exist():
    named = re.findall(r"`(\w+/[\w./]+)`", (ROOT / "ARCHITECTURE.md").read_text())
    assert [path for path in named if not (ROOT / path).exists()] == []
