"""Files of learned value functions; what is slow to load is imported where it is needed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from arena_tournaments.spec.files import BY_HASH

from arena.core.errors import AlteredResults, BadInput
from arena.core.game import AnyGame, Ruleset
from arena.core.parts.value import SHORT_HASH, ValueFunction
from arena.match.learned.file import ValueFile, read_file
from arena.plugins.options import option

if TYPE_CHECKING:
    from arena_results.file.database import Database


def file_at(path: Path, game: AnyGame, ruleset: Ruleset) -> ValueFile:
    """Reads the value function of a file.

    Raises:
        BadInput: It cannot be read, or is not for this game, ruleset and engine.
    """
    try:
        file = read_file(path.read_bytes())
        file.check_fits(game, ruleset)
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}") from None
    except BadInput as error:
        raise BadInput(f"{path}: {error}") from None
    return file


def named_file(named: str, database: Database | None, game: AnyGame, ruleset: Ruleset) -> ValueFile:
    """Reads the value function of a file, or of a hash that some tournament of a database fixed.

    Args:
        named: The file, or ``sha256:HASH``.

    Raises:
        BadInput: It is missing, or is not for this game, ruleset and engine.
        AlteredResults: The stored file has changed.
    """
    if not named.startswith(BY_HASH):
        return file_at(Path(named), game, ruleset)
    from arena_results.store.value_files import stored_file

    hash = named.removeprefix(BY_HASH)
    content = stored_file(database, hash) if database is not None else None
    if content is None:
        raise BadInput(f"no tournament here fixed values with the SHA-256 {hash!r}")
    file = fixed_file(content, hash)
    try:
        file.check_fits(game, ruleset)
    except BadInput as error:
        raise BadInput(f"{error}; {option('value_function', '')} fixes the game's own") from None
    return file


def fixed_file(content: bytes, hash: str | None) -> ValueFile:
    """Reads the value function that a tournament fixed, as it is stored with it.

    Raises:
        AlteredResults: It is not the file of that hash.
    """
    try:
        file = read_file(content)
    except BadInput as error:
        raise AlteredResults(str(error)) from None
    if file.hash != hash:
        raise AlteredResults(
            f"the value function {file.hash[:SHORT_HASH]} is not the one that was fixed"
        )
    return file


def learned_values(file: ValueFile, game: AnyGame, ruleset: Ruleset) -> ValueFunction[Any]:
    """Makes the value function of a file; ``BadInput`` if it is for something else."""
    from arena.match.learned.values import LearnedValues

    return LearnedValues(game, ruleset, file)
