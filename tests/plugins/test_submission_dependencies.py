"""Dependencies of a submitted bot: only distributions that the organiser allows."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from arena.core.errors import BadPlugin
from arena.plugins.dependencies import allowed_modules, check_requirements


def test_the_harness_and_what_is_allowed_may_be_required():
    check_requirements("it", [], ())
    check_requirements("it", ["arena-harness>=0.1", "Arena_Harness"], ())
    check_requirements("it", ["NumPy>=2; python_version > '3'", "a.b_c[x]"], ("numpy", "A-B-C"))


def test_anything_else_is_refused_with_how_to_allow_it():
    with pytest.raises(
        BadPlugin, match=r"it requires SciPy, .* add --allow SciPy, or leave it out"
    ):
        check_requirements("it", ["SciPy>=1"], ("numpy",))
    with pytest.raises(BadPlugin, match="cannot be read"):
        check_requirements("it", ["@@@"], ("numpy",))


def test_an_allowed_distribution_gives_its_top_level_modules():
    spec = find_spec("numpy")
    assert allowed_modules(["numpy"]) == {"numpy": str(Path(spec.origin).parents[1])}
    assert allowed_modules([]) == {}


def test_modules_are_found_by_their_files_not_by_the_distribution(install):
    site = install("two-things", {}, {"one.py": "", "other/deep/x.py": "", "fast.abi3.so": ""})
    assert allowed_modules(["Two.Things"]) == dict.fromkeys(("one", "other", "fast"), str(site))


def test_one_that_is_not_installed_is_refused():
    with pytest.raises(BadPlugin, match="no-such is allowed but not installed; install it with"):
        allowed_modules(["no-such"])


def test_one_that_lists_no_modules_is_refused(install):
    install("hollow", {}, {})
    with pytest.raises(BadPlugin, match="hollow does not list its modules"):
        allowed_modules(["hollow"])
