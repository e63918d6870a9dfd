"""The hash chain over a tournament's results: one head a round, over everything before it.

Each head is the SHA-256 (hexadecimal) of the head before it, followed by the round and its matches
in schedule order, each part as msgpack:

* before the first round: ``[1, game, ruleset, engine, format, games, mirrored, rounds, stake,
  purse]`` alone, of which the 1 is the version of the chain;
* for each round: the 32 bytes of the head before; ``[number, pairings, byes]``, in indices into
  the field; for each decision that first changes it ``[kind, entry, round, now, points, void,
  reason]``, and ``entries`` where it names several; and for each match ``[pairing, leg, record]``
  with the record's bytes.

Records name the participants, with the hashes of their code, and the deals, so that the last head
stands for all results. It is the same for everybody who deals the tournament again by its key.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256
from itertools import islice

import msgspec

from arena.core.tournaments.format import Round
from arena.core.tournaments.rulings import Ruling, RulingKind
from arena_results.schema.rows import NewTournament

VERSION = 1
_TERMS = (
    *("game", "ruleset", "engine", "format", "games", "mirrored", "rounds", "stake", "purse"),
)
_AT_ONCE = 1000
"""Matches that are hashed in one call."""
_encode = msgspec.msgpack.Encoder().encode


def first_head(terms: NewTournament) -> str:
    """Returns the head before the first round, which stands for the terms of the tournament."""
    values = [getattr(terms, name) for name in _TERMS]
    return sha256(_encode([VERSION, *values])).hexdigest()


def rulings_of_round(rulings: Sequence[Ruling], round: int, rounds: int) -> tuple[Ruling, ...]:
    """Returns the decisions that a round's head is about, of all of a tournament of that many
    rounds.

    They are those that first change it; of the last round, also those that come after it. Lots
    drawn after the last round are in no head: they follow from the key.
    """

    def place(each: Ruling) -> int:
        return each.since if each.kind is RulingKind.LOTS else min(each.since, rounds)

    return tuple([each for each in rulings if place(each) == round])


def next_head(
    head: str,
    round: Round,
    matches: Iterable[tuple[int, int, bytes]],
    rulings: Sequence[Ruling] = (),
) -> str:
    """Returns the head after a round.

    Args:
        head: The head before it.
        matches: Pairing, leg and record of every match of the round, in schedule order.
        rulings: Those of the round (``rulings_of_round``).
    """
    hasher = sha256(bytes.fromhex(head))
    seats = [pairing.seats for pairing in round.pairings]
    hasher.update(_encode([round.number, seats, round.byes]))
    for each in rulings:
        values = (each.kind, each.entry, each.round, each.now, each.points, each.void, each.reason)
        hasher.update(_encode((*values, each.entries) if each.entries else values))
    left = iter(matches)
    while some := b"".join(map(_encode, islice(left, _AT_ONCE))):
        hasher.update(some)
    return hasher.hexdigest()
