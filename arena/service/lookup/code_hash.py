"""The content hash of a bot that this program defines: of what runs, not of its source.

Source may be edited after its import, be missing, or define a name twice.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property, partial
from types import CellType, CodeType, FunctionType, MethodType, ModuleType

from arena.plugins.hashing import bytes_content

_OURS = sys.stdlib_module_names | {"arena"}
"""Packages with classes that are hashed by name."""
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
_WRITTEN = ("__annotate__", "__annotate_func__")
"""Functions that Python itself writes into classes."""
_METHODS = (FunctionType, staticmethod, classmethod, property)


def bot_content(make: Callable[[], object], kind: type) -> str:
    """Hashes what makes a bot, and its class with all bases that are neither Arena's nor Python's.

    Methods of every sort count, class attributes, defaults, what functions close over, and the
    arguments of a ``partial``; global variables, imported modules and files do not.
    """
    reader = _Reader()
    return bytes_content(f"{reader.text(make)} {reader.text(kind)}".encode())


class _Reader:
    """Gives objects strings that depend only on values, and so are the same in every process."""

    def __init__(self) -> None:
        self._texts: dict[int, tuple[str, object]] = {}

    def text(self, part: object) -> str:
        """A short text; within an object that refers to itself it is the same for every such."""
        if isinstance(part, str | int | float | complex | bytes | None):
            return repr(part)
        if id(part) not in self._texts:
            self._texts[id(part)] = "itself", part  # kept, so that no other object gets its id
            texts = list(map(self.text, _parts(part)))
            if isinstance(part, set | frozenset):  # hash seeds change their order
                texts.sort()
            text = f"{_name(part)} {bytes_content(' '.join(texts).encode())}"
            self._texts[id(part)] = text, part
        return self._texts[id(part)][0]


def _class_parts(kind: type) -> Iterator[object]:
    if _is_ours(kind):
        return
    yield from kind.__bases__
    for name, member in vars(kind).items():
        inner = name.startswith("__") and (name in _WRITTEN or not isinstance(member, _METHODS))
        if not inner and name != "_abc_impl":
            yield from (name, member)


def _is_filled(cell: CellType) -> bool:
    try:
        return cell.cell_contents is not None
    except ValueError:
        return False


def _name(part: object) -> str:
    if not isinstance(part, type):
        return type(part).__qualname__
    # A program's module is __main__ when it is run, and has a name when it is imported.
    return f"{part.__module__ if _is_ours(part) else ''}.{part.__qualname__}"


def _is_ours(kind: type) -> bool:
    return kind.__module__.partition(".")[0] in _OURS


def _parts(part: object) -> Iterator[object]:
    match part:
        case CodeType():
            yield from (part.co_code, part.co_exceptiontable, part.co_names, part.co_varnames)
            yield from part.co_consts
        case FunctionType():
            yield from (part.__code__, part.__defaults__, part.__kwdefaults__)
            yield from (cell.cell_contents for cell in part.__closure__ or () if _is_filled(cell))
        case type():
            yield from _class_parts(part)
        case partial():
            yield from (part.func, part.args, part.keywords)
        case property():
            yield from (part.fget, part.fset, part.fdel)
        case cached_property():
            yield part.func
        case MethodType():
            yield from (part.__func__, part.__self__)
        case Mapping():
            yield from part.items()
        case list() | tuple() | set() | frozenset():
            yield from part
        case ModuleType():
            yield part.__name__
        case _ if hasattr(part, "__wrapped__"):  # static and class methods, caches
            yield part.__wrapped__
        case _ if type(part).__repr__ is object.__repr__:
            yield from (type(part), getattr(part, "__dict__", None))
        case _:
            yield _ADDRESS.sub("", repr(part))
