"""Files of learned value functions; numpy, slow to load, is imported when one is read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from arena.core.errors import BadInput
from arena.core.game import AnyGame, Ruleset
from arena.core.value import ValueFunction


def value_function_at(game: AnyGame, ruleset: Ruleset, file: Path) -> ValueFunction[Any]:
    """Reads the value function of a file.

    Raises:
        BadInput: It cannot be read, is none, or is for another game, ruleset or engine.
    """
    from arena.match.learned.values import read_values

    try:
        return read_values(game, ruleset, file.read_bytes())
    except OSError as error:
        raise BadInput(f"{file}: {error.strerror}") from None
    except BadInput as error:
        raise BadInput(f"{file}: {error}") from None
