"""Writes new projects of bots and games, under names that are not taken."""

from __future__ import annotations

from pathlib import Path

from arena.plugins import scaffold
from arena.plugins.registry import Registry


def new_bot(registry: Registry, name: str, folder: Path, game: str = "pazaak") -> list[Path]:
    """Writes a working, tested bot project; see ``scaffold.new_bot``."""
    taken = [bot.name for bot in registry.bots()]
    return scaffold.new_bot(name, folder, game, taken, [game.name for game in registry.games()])


def new_game(registry: Registry, name: str, folder: Path, *, full: bool = False) -> list[Path]:
    """Writes a working, tested game project; see ``scaffold.new_game``."""
    taken = [game.name for game in registry.games()]
    return scaffold.new_game(name, folder, taken, full=full)
