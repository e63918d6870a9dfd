"""Leaderboards that all pages share: computed once after a change of the database, elsewhere."""

from __future__ import annotations

import zlib
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from threading import Lock
from typing import TypeVar, cast

import msgspec
from arena_results.boards.board_history import Event, Played
from arena_results.boards.board_rows import Board
from arena_results.boards.leaderboard import Asked, chosen, with_history
from arena_results.file.database import Database

from arena.core.described import described
from arena.plugins.registry import Registry
from arena.service.boards.kept import Boards
from arena.service.boards.rows import by_amounts, check_asked
from arena.service.storage.databases import open_database
from arena.web.site.apart import Apart

T = TypeVar("T")
MAX_BYTES = 4 * 1024 * 1024
"""Size of the cache; a leaderboard of 1,000 bots has some 60,000 bytes."""
_TURNS = 16


class KeptBoards(Boards):
    """Leaderboards without covariances, cached until the database changes; for use by any thread.

    Those of a game and ruleset are computed together: with all versions, and with the latest ones.

    Args:
        version: Returns another number after every change of the database.
        apart: Computes them elsewhere; without it they are computed here.
    """

    def __init__(
        self,
        registry: Registry,
        database: Database,
        version: Callable[[], int],
        apart: Apart | None,
    ) -> None:
        super().__init__(registry, database)
        self._version, self._apart = version, apart
        self._kept: OrderedDict[Hashable, bytes] = OrderedDict()
        self._fits, self._size = -1, 0
        self._own = Lock()
        self._turns = [Lock() for _ in range(_TURNS)]

    def now(
        self, asked: Asked, *, all_versions: bool = False, amounts: bool = True
    ) -> tuple[Board, ...]:
        """Returns the present ones, each computed once."""
        check_asked(self.database, asked)
        worth = by_amounts(asked, self._registry).worth_of
        if asked.anchors:  # each of them is on one of all these boards
            return self._now(asked, all_versions, amounts)
        rules: dict[tuple[str, str], bool] = {}
        for each in chosen(self.database, asked):
            key = each.game, each.ruleset
            rules[key] = rules.get(key, False) or worth(each) is not None
        found: list[Board] = []
        for (game, ruleset), by_amount in sorted(rules.items()):
            one = msgspec.structs.replace(asked, game=game, ruleset=ruleset)
            found += self._now(one, all_versions, amounts and by_amount)
        return tuple(found)

    def _now(self, asked: Asked, all_versions: bool, amounts: bool) -> tuple[Board, ...]:
        keys = [("now", _key(asked), amounts, every) for every in (False, True)]
        found = self._each(keys, lambda _: self._run(_both, asked, amounts))[all_versions]
        return cast("tuple[Board, ...]", _decoded(found, tuple[Board, ...]))

    def played(self, asked: Asked) -> tuple[Played, ...]:
        """Returns the tournaments of one leaderboard, read once."""
        (found,) = self._each([("played", _key(asked))], lambda _: self._run(_played, asked))
        return cast("tuple[Played, ...]", _decoded(found, tuple[Played, ...]))

    def at(self, asked: Asked, events: Sequence[Event]) -> list[Board]:
        """Returns one leaderboard at each of some events, each computed once."""
        keys = [("at", _key(asked), event.tournaments, event.rounds) for event in events]

        def compute(missing: Sequence[int]) -> list[bytes]:
            return self._run(_at, asked, [events[place] for place in missing])

        return [cast("Board", _decoded(each, Board)) for each in self._each(keys, compute)]

    def _run(self, function: Callable[..., list[bytes]], *args: object) -> list[bytes]:
        if self._apart is None:
            return function(Boards(self._registry, self.database), *args)
        return self._apart.run(_boards_apart, self.database.url, function, *args)

    def _each(
        self, keys: Sequence[Hashable], compute: Callable[[list[int]], list[bytes]]
    ) -> list[bytes]:
        """Returns the cached value of each key; one of several threads computes the missing ones.

        Args:
            compute: Returns the values of the keys at some places.
        """
        if not keys:
            return []
        version = self._version()
        with self._turns[hash(keys[-1]) % _TURNS]:
            found = [self._look(key, version) for key in keys]
            missing = [place for place, each in enumerate(found) if each is None]
            if missing:
                for place, made in zip(missing, compute(missing), strict=True):
                    found[place] = made
                    self._keep(keys[place], made, version)
        return cast("list[bytes]", found)

    def _look(self, key: Hashable, version: int) -> bytes | None:
        with self._own:
            if self._fits != version:
                return None
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def _keep(self, key: Hashable, made: bytes, version: int) -> None:
        with self._own:
            if self._fits != version:
                self._kept.clear()
                self._fits, self._size = version, 0
            self._size += len(made) - len(self._kept.pop(key, b""))
            self._kept[key] = made
            while self._size > MAX_BYTES:
                self._size -= len(self._kept.popitem(last=False)[1])


def _key(asked: Asked) -> Hashable:
    anchors = tuple(sorted(asked.anchors.items()))
    return asked.game, asked.ruleset, asked.tournament, asked.system.name, anchors


def _boards_apart(url: str, function: Callable[..., list[bytes]], *args: object) -> list[bytes]:
    with open_database(url) as database:
        return function(Boards(Registry(), database), *args)


def _both(boards: Boards, asked: Asked, amounts: bool) -> list[bytes]:
    found = boards.rated(asked, amounts=amounts)
    return [
        _encoded(
            [
                *map(
                    _plain,
                    with_history(
                        boards.database, found, every_version=every, tournament=asked.tournament
                    ),
                )
            ]
        )
        for every in (False, True)
    ]


def _played(boards: Boards, asked: Asked) -> list[bytes]:
    return [_encoded(boards.played(asked))]


def _at(boards: Boards, asked: Asked, events: Sequence[Event]) -> list[bytes]:
    return [_encoded(_plain(board)) for board in boards.at(asked, events)]


def _plain(board: Board) -> Board:
    return msgspec.structs.replace(board, covariance=None)


def _encoded(value: object) -> bytes:
    return zlib.compress(msgspec.msgpack.encode(value), 1)


def _decoded(kept: bytes, type: object) -> object:
    return msgspec.msgpack.decode(zlib.decompress(kept), type=described(type))
