"""Structs that a program makes by keywords: one that is misspelt is answered with what is meant."""

from __future__ import annotations

from typing import Any

import msgspec

from arena.core.errors import UnknownArgument


class Spelled(msgspec.StructMeta):
    """The metaclass of structs whose unknown keywords raise ``UnknownArgument``."""

    def __call__(cls, *args: object, **keywords: object) -> Any:  # noqa: ANN401, N805 - of a class
        """Makes an instance; other mistakes are the ``TypeError`` of any struct."""
        known = cls.__struct_fields__
        for name in keywords:
            if name not in known:
                raise UnknownArgument(f"argument of {cls.__name__}", name, known)
        return super().__call__(*args, **keywords)
