"""The source distribution holds what its own tests read."""

from __future__ import annotations

import hashlib
import os
import shutil
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
    """The output of pytest in the unpacked folder, which must end well.

    It leaves the asserts as they are: to rewrite those of all tests takes long.
    """
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-n0", "-p", "no:cacheprovider", "--assert=plain", *words],
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


def built(folder: Path, time: int, mode: int) -> dict[str, str]:
    """The digests of what ``make dist`` writes in a folder with files of this time and mode."""
    for path in folder.rglob("*"):
        if path.is_file():
            path.chmod(mode | path.stat().st_mode & 0o111)
            os.utime(path, (time, time))
    subprocess.run(
        ["make", "-o", ".venv/ready", "dist", f"BIN={Path(sys.executable).parent}"],
        cwd=folder,
        env={"PATH": os.environ["PATH"], "SOURCE_DATE_EPOCH": "1790000000"},
        capture_output=True,
        check=True,
    )
    files = (folder / "dist").iterdir()
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


@pytest.mark.thorough("a release is built in two places before it is published")
def test_make_dist_gives_the_same_bytes_in_two_places_at_two_times(unpacked, tmp_path):
    """So that anybody can build a release again and compare the checksums."""
    one, two = (shutil.copytree(unpacked, tmp_path / name) for name in ("one", "another"))
    first, second = built(one, 1_700_000_000, 0o600), built(two, 1_780_000_000, 0o664)
    assert {Path(name).suffix for name in first} == {".whl", ".gz"}
    assert first == second
