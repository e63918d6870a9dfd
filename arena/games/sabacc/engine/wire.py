"""Observations of Sabacc on their way to bots in other processes."""

from __future__ import annotations

from operator import attrgetter

from arena.core.actions import pack_ids, unpack_ids
from arena.core.parts.packing import Code, Packing, row, rows
from arena.games.sabacc.cards.cards import KINDS, card_of
from arena.games.sabacc.cards.variants import VARIANTS, Variant
from arena.games.sabacc.engine.actions import SabaccAction, action_of
from arena.games.sabacc.engine.history import events_of
from arena.games.sabacc.engine.observation import SabaccObservation
from arena.games.sabacc.engine.stages import ROLL_DUE, SLIP_DUE, STAGE_NAMES

_id = attrgetter("id")
_VARIANTS = tuple(VARIANTS.values())
_NEEDS = ("nothing", "card", "die", "pick", "get", "slip")
_MAX_CHOICES = 256  # so many: where there is no cap, each may be thousands of stakes


def _write_choices(actions: tuple[SabaccAction, ...]) -> bytes:
    """Runs of neighbouring ids (first id, length): of stakes there may be thousands."""
    runs: list[int] = []
    for action in actions:
        if runs and action.id == runs[-2] + runs[-1]:
            runs[-1] += 1
        else:
            runs += (action.id, 1)
    return pack_ids(runs)


def _read_choices(packed: bytes) -> tuple[SabaccAction, ...]:
    runs = unpack_ids(packed)
    return tuple(
        [
            action_of(id)
            for first, length in zip(runs[::2], runs[1::2], strict=True)
            for id in range(first, first + length)
        ]
    )


_HANDS = rows(_id, card_of)
_VARIANT: Code[Variant, int] = Code(int, _VARIANTS.index, _VARIANTS.__getitem__)

PACKING = Packing(
    SabaccObservation,
    "rules",
    {
        "legal_actions": Code(bytes, _write_choices, _read_choices, _MAX_CHOICES),
        "hand": row(_id, card_of),
        "variant": _VARIANT,
        "shown": _HANDS,
        "laid": _HANDS,
        "extra": _HANDS,
    },
    growing=("history",),
)
"""Packing of observations: functions that write and read them."""


def described(observation: SabaccObservation) -> dict[str, object]:
    """Adds what programs in other languages need to understand an observation."""
    before = events_of(observation.history[: observation.hand_start])
    due = (("slip", SLIP_DUE), ("roll", ROLL_DUE))
    return {
        "memory": _names(observation.memory),
        "past": [_names(memory) for memory in observation.past],
        "stage": STAGE_NAMES[observation.stage],
        "need": _NEEDS[observation.need],
        "due": [name for name, bit in due if observation.due & bit],
        "hand_start": len(before),  # in lines of the history, not in bytes
        "owed": observation.owed,
        "hands_left": observation.hands_left,
        "ante": observation.ante,
        "target": observation.target,
    }


def _names(cards: bytes) -> list[str]:
    return [KINDS[id].name for id in cards]
