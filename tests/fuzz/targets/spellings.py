"""Names of bots and rulesets with parameters, actions and loadouts, as people type them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from io import BytesIO
from pathlib import Path

from arena.core.errors import ArenaError
from arena.core.text.parsing import parse_call
from arena.core.tournaments.format import Tables
from arena.games.pazaak.game import Pazaak
from arena.games.sabacc.game import Sabacc
from arena.plugins.registry import Registry
from arena.service.setup.field import lines_of
from arena.service.setup.pair_lines import pairings_of
from tests.fuzz.fuzzing import Run, Target

BOTS = (
    "random",
    "stand(at=17)",
    "search(iterations=8)",
    "target-total(target=21)",
    "stand(at = 17 ) ",
    "cautious@1.0(at=3)",
    'optimal(name="a b",rate=-0.5,on=true)',
)
RULESETS = {
    "pazaak": (
        "standard",
        "standard(flip=negate_positive,max_sets=9)",
        'console(deck="+1 +2 -1 -2 ±1 ±2 ±3 D ±1T 2&4")',
        "table(collection_size=10..25)",
        "standard(side_deck_size=10,max_copies=0)",
        'wiki(collection="+1 +1 +2 +3 +4 +5 +6 -1 -2 -3 -4",tiebreaker_both=tie)',
    ),
    "sabacc": (
        "old_republic",
        "old_republic(mode=chips,hands=6,stack=50,ante=2,cap=0)",
        "variable(dice=true,tick_every=orbit,slips=eight)",
        "corellian(mode=points,target=0,hands=3,bonus=off)",
        "card_exchange(discards=reshuffled,betting=staged)",
    ),
}


ACTIONS = (
    *("stand", "end turn", "play ±4 as -4", "play +3", "draw", "bet 20", "exchange 2", "fold"),
    *("discard 1,2", "+1 -2 ±3 D ±1T 2&4 +5 +6 -4 -5", "hard", "7 of staves", "call"),
)
GAMES = (Pazaak(), Sabacc())


REGISTRY = Registry()


def bot(text: str) -> None:
    parse_call(text)
    REGISTRY.resolve_bot(text)


def action(text: str) -> None:
    """Reads a text as an action and as a loadout of each game; refused if none knows it."""
    errors: list[ArenaError] = []
    readers = [each for game in GAMES for each in (game.notation.action, game.loadouts.parse)]
    for read in readers:
        try:
            read(text)
        except ArenaError as error:
            errors.append(error)
    if len(errors) == len(readers):
        raise errors[0]


def pairs(data: bytes) -> None:
    """Reads a file of pairings made by hand, of a small field."""
    lines = lines_of("pairs.txt", BytesIO(data))
    pairings_of(lines, FIELD, Tables(), {3: "has left the tournament"})


@contextmanager
def untyped(folder: Path) -> Iterator[Run]:
    """Opens the target that reads a file of pairings."""
    yield pairs


def typed(read: Callable[[str], object]) -> Callable[[Path], AbstractContextManager[Run]]:
    """Opens a target that reads a text as the command line hands it over."""

    @contextmanager
    def opened(folder: Path) -> Iterator[Run]:
        yield lambda data: read(os.fsdecode(data))

    return opened


def encoded(texts: Sequence[str]) -> list[bytes]:
    return [text.encode() for text in texts]


PARTS = encoded(("..", "10..25", "=true", "mode=", "chips", "variable", "deck=", "±1T", "orbit"))
FIELD = ("counter", "stand(at=17)", "a, b [c]", "random", "bye@1.0")
PAIRS = ("counter | stand(at=17)  # a wish\n\na, b [c] | bye\n", "\ufeffbye|counter\r\n")
TARGETS = (
    Target(
        name="pairs",
        seeds=partial(encoded, PAIRS),
        open=untyped,
        pieces=(b"|", b" | bye", b"#", b"random", b"\n"),
    ),
    Target(
        name="bots",
        seeds=partial(encoded, BOTS),
        open=typed(bot),
        pieces=(b".py", b"@", b"at=", b"stand", b"file.py:Bot"),
    ),
    Target(
        name="actions",
        seeds=partial(encoded, ACTIONS),
        open=typed(action),
        pieces=(b"play ", b" as ", b"+/-", "±".encode(), b"bet ", b"discard ", b"&"),
    ),
    *(
        Target(
            name=f"rulesets-of-{game.name}",
            seeds=partial(encoded, RULESETS[game.name]),
            open=typed(game.ruleset),
            pieces=tuple(PARTS),
        )
        for game in GAMES
    ),
)
