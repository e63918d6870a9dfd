"""Reads the harness's other files: results, its command line, installed packages. It plays on."""

from pathlib import Path

import msgspec

import arena
from arena import Bot

ROOT = Path(arena.__file__).parents[1]
FILES = (
    ROOT / "results" / "arena_results" / "schema" / "tables.py",
    ROOT / "arena" / "cli" / "app.py",
    ROOT / "pyproject.toml",
    ROOT / ".git" / "config",
    Path(msgspec.__file__).parents[1] / "trio" / "__init__.py",
)


class ReadsHarness(Bot):
    def start(self, context):
        for file in FILES:
            try:
                file.read_bytes()
            except OSError:
                continue
            raise RuntimeError(f"GOT: {file.name}")

    def act(self, observation):
        return observation.legal_actions[0]
