"""Imports the harness's own parts: results, plugins, the command line. It plays on."""

import importlib
import sys
from importlib.machinery import PathFinder
from pathlib import Path

import arena
from arena import Bot

NAMES = (
    "arena.plugins.registry",
    "arena_results.schema.tables",
    "arena_tournaments.spec.keys",
    "arena.cli.app",
    "trio",
    "pip",
)


class ImportsHarness(Bot):
    def start(self, context):
        folder = str(Path(arena.__file__).parents[1])
        if folder not in sys.path:
            sys.path.append(folder)
            sys.meta_path.append(PathFinder)
        importlib.invalidate_caches()
        for name in NAMES:
            try:
                importlib.import_module(name)
            except (ImportError, OSError):
                continue
            raise RuntimeError(f"GOT: {name}")

    def act(self, observation):
        return observation.legal_actions[0]
