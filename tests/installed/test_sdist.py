"""The source distribution holds what its own tests read."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory) -> Path:
    place = tmp_path_factory.mktemp("sdist")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", place],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    (archive,) = place.glob("*.tar.gz")
    with tarfile.open(archive) as packed:
        packed.extractall(place, filter="data")
    return place / archive.name.removesuffix(".tar.gz")


def pytest_of(folder: Path, *words: str) -> str:
    """The output of pytest in the unpacked folder, which must end well."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-n0", "-p", "no:cacheprovider", *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_it_has_every_file_of_the_top_folder_that_tests_read(unpacked):
    tests = [path.read_text() for path in (ROOT / "tests" / "architecture").glob("test_*.py")]
    hidden = {".ci", ".github", ".pre-commit-config.yaml"}
    assert all(any(f'"{name}"' in text for text in tests) for name in hidden)
    shown = {*ROOT.glob("*.md"), *ROOT.glob("*.lock"), *ROOT.glob("*.toml"), ROOT / "Makefile"}
    assert {path.name for path in unpacked.iterdir()} >= hidden | {path.name for path in shown}


@pytest.mark.thorough("the test before looks for the files that were once missing")
def test_the_whole_suite_is_collected_from_it(unpacked):
    listed = pytest_of(unpacked, "--collect-only", "--thorough", "tests")
    for folder in (path for path in (ROOT / "tests").iterdir() if any(path.glob("test_*.py"))):
        assert f"tests/{folder.name}/" in listed
    pytest_of(unpacked, "tests/architecture/test_project_files.py")
