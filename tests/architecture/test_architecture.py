"""The shape of the tree: who may import whom, and what importing costs."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import tomllib
from functools import cached_property
from importlib import import_module
from itertools import chain
from pathlib import Path
from types import FunctionType
from typing import get_args

import grimp
import pytest

import arena
from arena.core.scene import Role

ROOT = Path(__file__).parents[2]
PACKAGES = ("arena", "arena_bots", "arena_tournaments", "arena_results")
FOLDERS = ("arena", "bots/arena_bots", "tournaments/arena_tournaments", "results/arena_results")
MODULES = sorted(path for name in FOLDERS for path in (ROOT / name).rglob("*.py"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
CONTRACTS = {each["id"]: each for each in PROJECT["tool"]["importlinter"]["contracts"]}
COMPUTING = {
    *("__future__", "abc", "ast", "bisect", "collections", "contextlib", "difflib", "enum"),
    *("fractions", "functools", "hashlib", "itertools", "keyword", "math", "msgspec", "operator"),
    "mypy_extensions",
    *("pickle", "re", "struct", "textwrap", "tomllib", "typing", "warnings"),
}
"""Modules of others that pure modules may import: none reads, writes, waits or draws lots."""
IMPURE_ON_PURPOSE = {
    ("arena.core.described", "threading"),  # a lock around what msgspec does to types
    ("arena.core.tournaments.lanes", "trio"),  # waits for those who play
    ("arena.core.chance.seeding", "random"),  # the one place that builds random generators
    ("arena.games.pazaak.parts.decisions", "numpy"),  # solves the sets of a match
    ("arena.games.pazaak.parts.response", "numpy"),
    ("arena.games.pazaak.parts.rivals", "numpy"),
    ("arena_results.ratings.systems.amounts_board", "numpy"),
    ("arena.match.learned.network", "numpy"),  # linear algebra, random weights of a derived seed
    ("arena.match.learned.positions", "numpy"),
    ("arena.match.learned.training", "numpy"),
    ("arena.match.learned.values", "numpy"),
    ("arena_results.ratings.intervals.binomial", "statistics"),  # quantiles of the normal law
    ("arena_results.ratings.systems.bootstrap", "numpy"),  # resamples, from a derived seed
    ("arena_results.ratings.fits.fitting", "numpy"),  # linear algebra
    ("arena_results.ratings.fits.joint", "numpy"),
    ("arena_results.ratings.systems.joint_board", "numpy"),
    ("arena_results.ratings.systems.openskill", "openskill"),
    ("arena_results.ratings.fits.orders", "numpy"),
    ("arena_results.ratings.intervals.ranking", "numpy"),
    ("arena_results.ratings.fits.reference", "numpy"),
    ("arena_results.ratings.fits.rounds", "numpy"),
    ("arena_results.ratings.intervals.statistics", "statistics"),  # quantiles of the normal law
    ("arena_tournaments.dutch.bracket", "numpy"),  # counts who may meet whom
    ("arena_tournaments.dutch.field", "numpy"),
    ("arena_tournaments.dutch.least", "networkx"),
    ("arena_tournaments.dutch.least", "rustworkx"),
    ("arena_tournaments.dutch.matching", "numpy"),
    ("arena_tournaments.pairing.repair", "networkx"),
    ("arena_tournaments.pairing.separation", "networkx"),
    ("arena_tournaments.pairing.separation", "numpy"),
}
MAX_METHODS = 29


def shown(path: Path) -> str:
    return str(path.relative_to(ROOT))


def python(code: str) -> str:
    """Runs code in a fresh Python; returns its output."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_the_import_contracts_hold():
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert f"{len(CONTRACTS)} kept, 0 broken" in done.stdout
    assert {"floors", "pure", "facade", "bots-door", "wings-know-no-game"} <= CONTRACTS.keys()


def test_every_package_and_face_is_named_in_its_contracts():
    floors = [floor.split(" | ") for floor in CONTRACTS["floors"]["layers"]]
    there = {
        f"arena.{path.stem}"
        for path in (ROOT / "arena").iterdir()
        if path.stem != "__init__" and (path.suffix == ".py" or [*path.rglob("*.py")])
    }
    assert sorted(chain(*floors)) == sorted(there | {*PACKAGES[1:]})
    assert floors[0] == ["arena.__main__"]
    assert CONTRACTS["faces-apart"]["modules"] == floors[1]
    assert {f"{name}.**" for name in PACKAGES} <= {*CONTRACTS["facade"]["source_modules"]}
    assert CONTRACTS["no-circles"]["ancestors"] == [*PACKAGES]
    wheel = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    assert sorted(wheel) == sorted(FOLDERS)
    games = (ROOT / "arena" / "games").glob("*/__init__.py")
    assert {f"arena.games.{path.parent.name}" for path in games} == {
        *CONTRACTS["games-apart"]["modules"]
    }


def test_pure_modules_import_only_what_computes_when_they_run():
    """Annotations may name ``Random`` and trio; the list is of what is allowed, not forbidden."""
    graph = grimp.build_graph(
        *PACKAGES,
        include_external_packages=True,
        exclude_type_checking_imports=True,
        cache_dir=None,
    )
    sources = CONTRACTS["pure"]["source_modules"]
    found = {
        (module, imported)
        for source in sources
        for module in {source} | graph.find_descendants(source)
        for imported in graph.find_modules_directly_imported_by(module)
        if imported.partition(".")[0] not in COMPUTING | {*PACKAGES}
    }
    assert found == IMPURE_ON_PURPOSE


def test_pure_modules_open_no_files_and_run_no_text():
    sources = tuple(name.replace(".", "/") for name in CONTRACTS["pure"]["source_modules"])
    found = [
        f"{shown(path)}:{node.lineno}: {node.func.id}"
        for path in MODULES
        if shown(path).removeprefix("tournaments/").removeprefix("results/").startswith(sources)
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        if node.func.id in {"open", "input", "breakpoint", "exec", "eval", "__import__"}
    ]
    assert found == []


def decoded_to(call: ast.Call) -> ast.expr | None:
    """The type to which a call has msgspec decode or convert something, if it does."""
    function = ast.unparse(call.func)
    if function == "partial":
        function, *_ = map(ast.unparse, call.args)
    if not re.fullmatch(r"msgspec\.(convert|(json|msgpack)\.(decode|Decoder))", function):
        return None
    named = [each.value for each in call.keywords if each.arg == "type"]
    place = {"convert": 1, "Decoder": 0}.get(function.rpartition(".")[2], len(call.args))
    return next(iter([*named, *call.args[place:]]), None)


def test_types_of_ours_are_described_before_anything_is_decoded_to_them():
    """Two threads that have msgspec do that at once end the process: ``arena.core.described``."""
    plain = re.compile(r"[][, .|]|\b(tuple|list|dict|int|float|str|bytes|bool|None|object|Any)\b")
    found, described = [], 0
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_text())):
            kind = decoded_to(node) if isinstance(node, ast.Call) else None
            text = ast.unparse(kind) if kind is not None else ""
            described += text.startswith("described(")
            if not text.startswith("described(") and plain.sub("", text):
                found.append(f"{shown(path)}: {text}")
    assert found == [
        "arena/core/described.py: kind",
        "arena/plugins/guards.py: Annotated[int, msgspec.Meta(ge=1)]",
        "arena/plugins/guards.py: tuple[str, str, _Share, tuple[str, ...]]",
    ]
    assert described >= 40


@pytest.mark.parametrize(
    "module",
    [
        "arena",
        "arena.core.game",
        "arena.core.tournaments.format",
        "arena.core.tournaments.executor",
    ],
)
def test_the_ground_floor_pulls_in_nothing_else(module):
    code = f"import sys, {module}; print(*sorted(sys.modules))"
    loaded = python(code).split()
    ours = {name for name in loaded if name.split(".")[0] in PACKAGES}
    assert {name for name in ours if not name.startswith("arena.core")} <= {"arena"}
    heavy = {"trio", "pluggy", "sqlmodel", "sqlalchemy", "alembic", "typer", "rich", "numpy"}
    assert heavy.isdisjoint(loaded)


@pytest.mark.parametrize(
    "module", ["arena.cli.app", "arena.host.play.worker", "arena.testing.conformance"]
)
def test_processes_that_start_often_import_no_database_and_no_event_loop(module):
    loaded = python(f"import sys, {module}; print(*sorted(sys.modules))").split()
    assert {"sqlmodel", "sqlalchemy", "alembic", "trio"}.isdisjoint(loaded)


def test_the_facade_is_complete_sorted_and_lazy():
    assert list(arena.__all__) == sorted(set(arena.__all__))
    assert 20 <= len(arena.__all__) <= 62
    assert dir(arena) == list(arena.__all__)
    for name in arena.__all__:
        assert getattr(arena, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'Bott'; it offers"):
        arena.Bott  # noqa: B018


def test_type_checkers_see_the_names_that_the_facade_exports():
    tree = ast.parse((ROOT / "arena" / "__init__.py").read_text())
    annotated = {
        (alias.asname, node.module)
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module.startswith("arena.")
        for alias in node.names
    }
    assert annotated == {(name, arena._HOMES[name]) for name in arena.__all__}


def test_every_module_has_a_docstring():
    assert [path for path in MODULES if not ast.get_docstring(ast.parse(path.read_text()))] == []


def classes(path: Path) -> list[type]:
    """Every class that a module of the project defines."""
    folder = next(ROOT / name for name in FOLDERS if path.is_relative_to(ROOT / name))
    name = ".".join(path.relative_to(folder.parent).with_suffix("").parts)
    module = import_module(name.removesuffix(".__init__"))
    return [
        part
        for part in vars(module).values()
        if isinstance(part, type) and part.__module__ == module.__name__
    ]


def test_classes_have_fewer_than_thirty_methods_with_the_inherited_ones():
    paths = [
        path for path in MODULES if "migrations" not in path.parts and path.name != "__main__.py"
    ]
    for kind in chain.from_iterable(map(classes, paths)):
        ours = [base for base in kind.__mro__ if base.__module__.partition(".")[0] in PACKAGES]
        methods = {
            name
            for base in ours
            for name, part in vars(base).items()
            if isinstance(
                part, FunctionType | property | classmethod | staticmethod | cached_property
            )
        }
        assert len(methods) <= MAX_METHODS, (kind, sorted(methods))


DRAWN = ("arena/pages", "arena/web", "arena/tui")
"""Folders of what draws the boards of any game."""


def test_drawers_of_boards_name_no_game_of_ours_and_no_card():
    """Games say how their cards look: those of an extension look as good as ours."""
    games = {path.parent.name for path in (ROOT / "arena" / "games").glob("*/game.py")}
    scenes = [
        (ROOT / "arena" / "games" / game / "parts" / "scene.py").read_text() for game in games
    ]
    looks = [import_module(f"arena.games.{game}.parts.looks").LOOKS for game in games]
    table = {*chain(*looks)} | {*chain(*(re.findall(r'Fact\("([^"]+)".*role=', s) for s in scenes))}
    assert {"pazaak", "sabacc"} <= games
    assert {"plus", "Coins", "pot", "folded", "stands"} <= table
    named = re.compile("|".join(games), re.IGNORECASE)
    others = {*get_args(Role), "flip"}  # roles of facts; what a button does to the board
    words = "|".join(map(re.escape, table - others))
    quoted = re.compile(rf"""["']({words})["']|\.card\.({words})\b""")
    texts = {
        path: path.read_text()
        for name in DRAWN
        for path in (ROOT / name).rglob("*.*")
        if path.suffix in {".py", ".jinja", ".css"}
    }
    assert len(texts) > 50
    found = [
        f"{shown(path)}: {hit.group()}"
        for path, text in texts.items()
        for hit in chain(named.finditer(text), quoted.finditer(text))
    ]
    assert found == []


def entry_points() -> list[str]:
    project = PROJECT["project"]
    groups = [project["scripts"], *project.get("entry-points", {}).values()]
    return [target for group in groups for target in group.values()]


@pytest.mark.parametrize("target", entry_points())
def test_an_entry_point_of_the_project_can_be_imported(target):
    module, _, name = target.partition(":")
    found = import_module(module)
    assert not name or callable(getattr(found, name))


def test_every_package_is_typed():
    for package in FOLDERS:
        assert (ROOT / package / "py.typed").is_file(), package


def tracked() -> list[Path]:
    """Every file that git knows or would take."""
    try:
        listed = subprocess.run(
            ["git", "ls-files", "-co", "--exclude-standard", "-z"],
            cwd=ROOT,
            capture_output=True,
            check=True,
        ).stdout
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("git is missing, or this is no checkout")
    names = [os.fsdecode(name) for name in listed.split(b"\0") if name]
    return [path for name in names if (path := ROOT / name).is_file()]


FORBIDDEN = {
    "an index address": re.compile(r"--(extra-)?index-url|--find-links|pypi\.org|pythonhosted"),
    "a path of somebody's machine": re.compile(r"/(home|root|Users)/[a-z]|[A-Z]:\\\\Users\\\\"),
    "a secret": re.compile(r"(?i)(api[_-]?key|password|token)\s*=\s*['\"][^'\"]{8,}"),
}


@pytest.mark.parametrize("what", FORBIDDEN)
def test_no_file_holds(what):
    me = Path(__file__)
    found = []
    for path in tracked():
        if path == me or b"\0" in (data := path.read_bytes())[:1024]:
            continue
        text = data.decode(errors="replace")
        found += [f"{shown(path)}: {hit.group()}" for hit in FORBIDDEN[what].finditer(text)]
    assert found == []
