"""Reads the keys of tournament files, with the paths of other files, and what overrules them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from arena.core.errors import BadSpec, ParseError
from arena.core.text.parsing import join_loadout, split_loadout
from arena.core.text.toml import MAX_LENGTH, read_toml
from arena_tournaments.spec.keys import gathered

BY_HASH = "sha256:"
"""Begins a value function that is named by its SHA-256, not by its file."""
_MAX_BOT_LENGTH = 10_000
"""Characters of a bot's name as typed; longer ones name no file."""
_FILE = re.compile(r"(?P<path>.+?\.(py|toml))(?P<rest>(:\w+)?\s*(\(.*\)\s*)?)", re.DOTALL)


def load_keys(path: Path) -> dict[str, object]:
    """Returns the keys of a tournament file; a bot's file is looked for next to it first.

    Raises:
        BadSpec: It cannot be read, or is not TOML; says where.
    """
    try:
        with path.open("rb") as file:
            keys = read_toml(file.read(MAX_LENGTH + 1))
    except OSError as error:
        raise BadSpec(str(path), [f"cannot be read: {error.strerror}"]) from None
    except ParseError as error:
        raise BadSpec(str(path), [str(error)]) from None
    return in_folder(keys, path.resolve().parent)


def in_folder(keys: dict[str, object], folder: Path) -> dict[str, object]:
    """Returns the keys of a file with the paths of other files, which are found from its folder."""
    for key in ("bots_from", "value_function"):
        name = keys.get(key)
        if isinstance(name, str) and name and not name.startswith(BY_HASH):
            keys[key] = str(folder / name)
    for key in ("bots", "trust"):
        names = keys.get(key)
        if isinstance(names, list):
            keys[key] = [placed(name, folder) if isinstance(name, str) else name for name in names]
    return keys


def placed(bot: str, folder: Path) -> str:
    """Returns a bot's name as typed with its file in that folder, if it is there.

    Spellings that name no file stay as they are.
    """
    spelling, loadout = split_loadout(bot)
    file = _FILE.fullmatch(spelling.strip()) if len(bot) <= _MAX_BOT_LENGTH else None
    if file is None:
        return bot
    path = folder / file["path"]
    try:
        there = path.is_file()
    except OSError:  # e.g. a name that is longer than names can be
        there = False
    return join_loadout(f"{path}{file['rest']}", loadout) if there else bot


def overrule(keys: Mapping[str, object], given: Mapping[str, object]) -> dict[str, object]:
    """Returns the keys of a file with those that were given next to it, which count more.

    What is given of a pair that says the same in two ways stands for the file's, whichever of them
    it has: seed and key, bots and a file of them, games and a budget for them.
    """
    pairs = ({"seed", "key"}, {"bots", "bots_from"}, {"games", "budget"})
    dropped = {key for pair in pairs if pair & given.keys() for key in pair}
    kept = gathered({key: value for key, value in keys.items() if key not in dropped})
    made = gathered(given)
    both = kept.get("format_options"), made.get("format_options")
    if isinstance(both[0], Mapping) and isinstance(both[1], Mapping):
        made["format_options"] = {**both[0], **both[1]}
    return kept | made
