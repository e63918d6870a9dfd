"""Submits many bots, each on its own: a bad one does not stop the others."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Literal, TypeAlias

import msgspec
from arena_tournaments.spec.keys import TournamentSpec

from arena.core.errors import BadInput, BadStore, HarnessFault
from arena.core.text.printable import printable_line
from arena.plugins.registry import Registry
from arena.plugins.submissions.submission import NameFrom, Package
from arena.service.bots.submit import SubmitObserver, Submitted, submission_spec, submit
from arena.service.lookup.isolation import Warn, choose_level, ignore


class Unreadable(msgspec.Struct, frozen=True):
    """The answer to a submission that was refused before any match, with the reason.

    Attributes:
        package: The submitted bot, if it could be read.
    """

    why: str
    package: Package | None = None
    status: Literal["refused"] = "refused"

    def document(self) -> dict[str, object]:
        """The document of ``Submitted``, in which nothing is known but the reason."""
        keys = ("name", "version", "content", "author", "licence", "language")
        about: dict[str, object] = {"status": self.status, **dict.fromkeys(keys)}
        return about | {
            "files": [],
            "report": {},
            "failures": [],
            "refusal": self.why,
            "reason": self.why,
            "changes": [],
            "error": "",
        }


Answer: TypeAlias = Submitted | Unreadable
"""The answer to one of many submissions."""


def submit_many(
    registry: Registry,
    url: str,
    paths: Sequence[str],
    *,
    name_from: NameFrom = "",
    games: Sequence[str] = (),
    keys: Mapping[str, object] | None = None,
    seed: int | None = None,
    observer: SubmitObserver = lambda package, game, opponents, seed: None,
    warn: Warn = ignore,
    taken: Mapping[str, str] = {},
) -> Iterator[tuple[str, Answer]]:
    """Submits each of the paths, and yields it with its answer.

    Args:
        url: As for ``submit``; so are the others.
        taken: Paths of bots that were submitted before, by name.

    Raises:
        BadInput: There is no such game or isolation, or an option is wrong: nothing was submitted.
        BadStore: The database cannot be used; what was entered before stays.
    """
    spec = checked_options(registry, keys or {}, games)
    choose_level(spec.isolation, spec.require, warn)  # and warns once
    names = dict(taken)
    for path in paths:
        read: list[Package] = []
        try:
            answer = submit(
                registry, url, path, name_from=name_from, games=games, keys=keys, seed=seed,
                observer=observer, taken=names, admit=_noting(read),
            )  # fmt: skip
        except BadStore:
            raise
        except (BadInput, HarnessFault) as error:
            yield path, _unreadable(printable_line(str(error)), read)
        except Exception as error:  # a fault of ours, which must not end the others' submissions
            what = printable_line(f"{type(error).__name__}: {error}")
            yield path, _unreadable(f"Arena failed on it ({what}); please report this", read)
        else:
            names.setdefault(answer.package.name, path)
            yield path, answer


def submit_alone(
    registry: Registry,
    url: str,
    path: str,
    answered: Callable[[Answer], object],
    *,
    name: str = "",
    name_from: NameFrom = "",
    games: Sequence[str] = (),
    keys: Mapping[str, object] | None = None,
    seed: int | None = None,
    observer: SubmitObserver = lambda package, game, opponents, seed: None,
    warn: Warn = ignore,
) -> Submitted:
    """Submits one path as ``submit`` does.

    Args:
        answered: Is given the answer, also to a submission that is refused by an error.

    Raises:
        BadInput: As ``submit``.
        HarnessFault: As ``submit``.
    """
    checked_options(registry, keys or {}, games)
    read: list[Package] = []
    try:
        answer = submit(
            registry, url, path, name=name, name_from=name_from, games=games, keys=keys, seed=seed,
            observer=observer, warn=warn, admit=_noting(read),
        )  # fmt: skip
    except BadStore:
        raise
    except (BadInput, HarnessFault) as error:
        answered(_unreadable(printable_line(str(error)), read))
        raise
    answered(answer)
    return answer


def checked_options(
    registry: Registry, keys: Mapping[str, object], games: Sequence[str]
) -> TournamentSpec:
    """Returns the spec of a submission; raises ``BadInput`` for a wrong option or game."""
    spec = submission_spec(keys)
    for game in games:
        registry.rated_game(game)
    return spec


def _noting(read: list[Package]) -> Callable[[Package], Package]:
    """Returns the argument ``admit`` of ``submit`` that adds each package to a list."""

    def admit(package: Package) -> Package:
        read.append(package)
        return package

    return admit


def _unreadable(why: str, read: Sequence[Package]) -> Unreadable:
    """Returns the answer to a submission that was refused before any match.

    Args:
        read: Its package, if it could be read (``_noting``).
    """
    return Unreadable(why, read[-1] if read else None)


def many_document(answers: Sequence[tuple[str, Answer]]) -> list[dict[str, object]]:
    """Returns the JSON document of ``arena submit`` with several paths.

    In a path that is not UTF-8, ``?`` replaces what JSON cannot represent.
    """
    return [
        {"path": path.encode(errors="replace").decode(), **answer.document()}
        for path, answer in answers
    ]
