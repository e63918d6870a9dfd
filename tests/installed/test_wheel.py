"""The wheel, installed into an empty environment far from the checkout, is the whole program."""

from __future__ import annotations

import re
import shutil
import signal
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.installed.wheels import ROOT, Installed, install_wheel
from tests.web.browser import chromium, visit

MAIN = """
import sys
from arena.cli.app import main

for sys.argv in {commands!r}:
    try:
        main()
    except SystemExit as end:
        assert not end.code, (sys.argv, end.code)
"""
"""A program that runs several commands: to start one takes a second of processor time."""


@pytest.fixture(scope="module")
def installed(tmp_path_factory) -> Installed:
    return install_wheel(tmp_path_factory.mktemp("installed"))


def test_every_package_is_imported_from_the_wheel(installed):
    code = (
        "import arena, arena_bots, arena_results, arena_tournaments as t;"
        "print(*{m.__file__ for m in (arena, arena_bots, arena_results, t)}, sep='\\n')"
    )
    files = installed.run("python", "-c", code).splitlines()
    assert len(files) == 4
    assert all(Path(file).is_relative_to(installed.environment) for file in files)


def test_the_wheel_has_every_file_of_the_packages(installed):
    """Templates, style sheets and migrations, too; what is compiled, the wheel compiles itself."""
    (site,) = installed.environment.glob("lib/python*/site-packages")
    for package in (
        "arena",
        "bots/arena_bots",
        "results/arena_results",
        "tournaments/arena_tournaments",
    ):
        folder = ROOT / package
        files = {
            path.relative_to(folder.parent)
            for path in folder.rglob("*")
            if path.is_file() and "__pycache__" not in path.parts and path.suffix != ".so"
        }
        assert len(files) > 20
        assert {path for path in files if not (site / path).is_file()} == set()


def test_the_wheel_plays_and_writes_pages_and_projects(installed):
    """A wheel could lack learned values, and the templates of pages and projects."""
    folder = installed.folder / "daily"
    folder.mkdir()
    db = ("--db", str(folder / "cup.db"))
    bots = ("--bot", "counter", "--bot", "stand(at=17)")
    commands = [
        ["arena", "tournament", "run", *bots, "--games", "2", "--isolation", "trusted", *db],
        ["arena", "replay", "1.1.1.1", "--view", "public", "--summary", *db],
        ["arena", "report", "1", "--html", str(folder / "cup"), *db],
        ["arena", "new", "bot", "daily-bot"],
    ]
    installed.run("python", "-c", MAIN.format(commands=commands))
    assert (folder / "cup" / "index.html").stat().st_size > 3000
    assert list((installed.folder / "daily-bot").glob("*.py"))


@pytest.mark.thorough("the test before plays from the wheel; tests/cli/test_demo.py runs it")
def test_the_demo_runs_where_nothing_else_is(installed):
    """It needs no file of the checkout, neither examples nor tournament files."""
    out = installed.run("arena", "demo")
    assert "demo-bot 0.1.0 is entered" in out
    assert len(out.splitlines()) <= 60, out
    assert "\n  arena serve --db demo.db " in out
    installed.run("arena", "replay", "1", "--verify", "--db", "demo.db")


@pytest.mark.thorough("tests/cli plays such files; tests/plugins has the bots")
def test_the_example_tournaments_run_with_an_installed_bot(installed):
    """Fewer games than their files say."""
    installed.install(ROOT / "examples" / "arena-bot-cautious")
    shutil.copytree(ROOT / "examples", installed.folder / "examples")
    db = ("--db", "examples.db")
    for file, games in (("swiss", "2"), ("round_robin", "2"), ("sabacc_chips", "6")):
        path = f"examples/tournaments/{file}.toml"
        out = installed.run("arena", "tournament", "run", path, "--games", games, *db)
        assert "Adjudicated losses: none." in out
    out = installed.run("arena", "submit", "examples/bots/no_sdk", "--game", "pazaak", *db)
    assert "no-sdk 1.0 is entered" in out
    assert "cautious" in installed.run("arena", "leaderboard", *db)
    installed.run("arena", "replay", "3", "--verify", *db)


@pytest.mark.thorough("tests/plugins checks the example game")
def test_an_example_game_is_installed_beside_it_and_checked(installed):
    installed.install(ROOT / "examples" / "arena-game-kuhn")
    out = installed.run("arena", "check", "game", "kuhn", "--redeals", "100")
    assert out.endswith("\npassed\n")


@pytest.mark.thorough("tests/plugins/test_scaffold.py makes and tests one")
def test_a_new_bot_passes_its_own_tests(installed):
    installed.run("arena", "new", "bot", "sharp")
    installed.run("python", "-m", "pytest", "-q", "-p", "no:cacheprovider", "sharp")


@pytest.mark.thorough("tests/plugins/test_scaffold.py makes and tests one")
def test_a_new_game_passes_its_own_tests(installed):
    installed.run("arena", "new", "game", "tiny")
    installed.install(installed.folder / "tiny")
    installed.run("python", "-m", "pytest", "-q", "-p", "no:cacheprovider", "tiny")


@pytest.mark.thorough("the wheel has every file of the packages; tests/pages writes reports")
def test_a_report_is_written_from_the_wheel_and_opens_in_a_browser(installed):
    bots = ("--bot", "random", "--bot", "counter", "--db", "report.db")
    installed.run("arena", "tournament", "run", "--games", "2", *bots)
    out = installed.run("arena", "report", "1", "--html", "cup", "--db", "report.db")
    assert "written: cup/index.html, with 2 replays" in out
    page = installed.folder / "cup" / "index.html"
    with chromium() as browser, visit(browser, page.as_uri()) as seen:
        assert seen.page.locator("#standings svg.iv").count() == 2
        seen.page.locator("#closest tbody a").first.click()
        assert seen.page.url.startswith((page.parent / "replays").as_uri())
        assert seen.page.locator("main svg:visible").count()
        assert seen.problems == []


@pytest.mark.thorough("the wheel has every file of the packages; tests/web serves the site")
def test_the_site_is_served_from_the_wheel(installed):
    bots = ("--bot", "random", "--bot", "stand", "--format", "knockout", "--db", "site.db")
    installed.run("arena", "tournament", "run", "--games", "2", *bots)
    with installed.start("arena", "serve", "--db", "site.db", "--port", "0") as process:
        try:
            address = process.stdout.readline().partition(" shows ")[0].rstrip("/")
            for path in ("/", "/b/random", "/t/1", "/t/1/charts", "/m/1.1.1.1?view=all", "/api"):
                with urlopen(address + path) as answer:
                    text = answer.read().decode()
                for asset in re.findall(r'(?:href|src)="(/static/[^"]+)"', text):
                    with urlopen(address + asset) as answer:
                        assert len(answer.read()) > 300, asset
                assert path == "/api" or "/static/style.css?v=" in text
            with chromium() as browser, visit(browser, f"{address}/t/1") as seen:
                assert seen.page.locator(".bracket .tie .w").count() == 1
                assert seen.problems == []
        finally:
            process.send_signal(signal.SIGTERM)
            out, err = process.communicate(timeout=60)
        assert (process.returncode, out, err) == (0, "", "")
