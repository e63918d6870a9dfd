"""Derives seeds and creates generators: the only module that creates a source of randomness.

Every seed is derived by keyed hash from the tournament's source (a secret key, or for tests
an open seed) and the path of its use, so that it is fixed when the match is scheduled and no
order of execution can change it.
"""

from __future__ import annotations

import random
import re
from enum import StrEnum
from hashlib import blake2b, sha256
from struct import unpack

import msgspec

MAX_SEED = 2**63 - 1
"""The largest seed that is taken; those that are drawn are smaller, see ``SEED_BITS``."""
SEED_BITS = 53
"""Seeds are 0 .. 2**53-1: whole numbers of that size survive every reader of JSON."""
_UNUSED_BITS = 64 - SEED_BITS
KEY_BYTES = 16
"""Length of a tournament's key: nobody can try 2**128 of them."""
KEY_PATTERN = f"^[0-9a-fA-F]{{{2 * KEY_BYTES}}}\\Z"
"""Regular expression of keys and nonces."""


class SeedOrigin(StrEnum):
    """The kinds of source from which a tournament's seeds are derived."""

    DRAWN_KEY = "drawn key"
    """A key drawn for this tournament only: nobody knows it before the tournament is finished."""
    GIVEN_KEY = "given key"
    """A key that somebody knew before, as of a finished tournament that is dealt again."""
    OPEN_SEED = "open seed"
    """A seed, which a bot can find by trying when it is small: for tests."""


class SeedSource(msgspec.Struct, frozen=True):
    """The source from which one tournament's seeds are derived: a seed or a key.

    Attributes:
        origin: Which of them, and who knows it.
        seed: 0 .. 2**63-1.
        key: Hexadecimal digits of ``KEY_BYTES`` bytes.
        nonce: As many digits, drawn with a drawn key and kept secret with it.
    """

    origin: SeedOrigin
    seed: int | None = None
    key: str | None = None
    nonce: str | None = None

    @property
    def open(self) -> bool:
        """True if the deals could be known before the tournament is finished."""
        return self.origin is not SeedOrigin.DRAWN_KEY

    @property
    def commitment(self) -> str | None:
        """The commitment to a drawn key: SHA-256 of the bytes of key and nonce, in hexadecimal.

        It is published before the first match, key and nonce after the last one. ``None`` without a
        nonce: for given keys and seeds.
        """
        if self.key is None or self.nonce is None:
            return None
        return sha256(bytes.fromhex(self.key) + bytes.fromhex(self.nonce)).hexdigest()

    @property
    def deals(self) -> str:
        """A name of its deals, which reveals none: SHA-256 over the key of their seeds.

        Tournaments that deal the same cards have the same.
        """
        return sha256(b"deals" + self.keys().deals).hexdigest()

    def problem(self, commitment: str | None) -> str:
        """Returns the reason why no tournament has these values and that commitment, or ``""``."""
        if (self.key is None) == (self.seed is None):
            return "it needs a key or a seed, not both"
        if self.seed is not None and not 0 <= self.seed <= MAX_SEED:
            return "its seed is not a number from 0 to 2**63-1"
        for name, digits in (("key", self.key), ("nonce", self.nonce)):
            if digits is not None and not re.match(KEY_PATTERN, digits):
                return f"its {name} is not {2 * KEY_BYTES} hexadecimal digits"
        if (self.origin is SeedOrigin.OPEN_SEED) == (self.seed is None):
            return f"its origin is {self.origin.value}, and it has none"
        drawn = self.origin is SeedOrigin.DRAWN_KEY
        if drawn and (self.nonce is None or commitment is None):
            return "its key was drawn, and the commitment to it is missing"
        if not drawn and (self.nonce is not None or commitment is not None):
            return f"its origin is {self.origin.value}, and it has a nonce or a commitment"
        if self.commitment != commitment:
            return "its key and nonce do not give its commitment"
        return ""

    def keys(self) -> SeedKeys:
        """Returns the keys that seeds are derived with."""
        if self.key is not None:
            key = bytes.fromhex(self.key)
            return SeedKeys(_subkey(key, b"deals"), _subkey(key, b"bots"))
        assert self.seed is not None
        return SeedKeys(self.seed.to_bytes(8, "little"), NO_KEY)


NO_KEY = b""
"""With an open seed, private seeds come from the match's key only: any other source could be
found by trying seeds until one gives the private seed, and the deals with it."""


class SeedKeys(msgspec.Struct, frozen=True):
    """Derives the seeds of one tournament's matches.

    Attributes:
        deals: Key of the deals' seeds.
        bots: Key of the bots' private seeds.
    """

    deals: bytes
    bots: bytes

    def deal(self, round: int, pairing: int, deal: int) -> int:
        """Returns the seed of a deal of a pairing; all three count from 1."""
        return _derive(self.deals, "round", round, "pairing", pairing, "deal", deal)

    def private(self, round: int, pairing: int, leg: int) -> int:
        """Returns the seed from which ``private_seeds`` derives the bots' seeds of one match."""
        return _derive(self.bots, "round", round, "pairing", pairing, "bots", leg)

    def lot(self, entry: int) -> int:
        """Returns the lot of an entry, by its index in the field; the lowest is drawn first.

        It is the same in every draw of the tournament, so nobody can draw again until it suits.
        """
        return _derive(self.deals, "lots", "entry", entry)


def _subkey(key: bytes, use: bytes) -> bytes:
    """Derives a key for one use, which reveals nothing of the key or of its other uses."""
    return blake2b(use, digest_size=KEY_BYTES, key=key).digest()


def _derive(key: bytes, *path: str | int) -> int:
    text = "/".join(map(str, path)).encode()
    digest = blake2b(text, digest_size=8, key=key).digest()
    return int.from_bytes(digest, "little") >> _UNUSED_BITS


def derive_seed(seed: int, *path: str | int) -> int:
    """Derives a seed from another and a path, e.g. ``derive_seed(7, "round", 2, "pairing", 1)``.

    Args:
        seed: The seed above, 0 .. 2**63-1 (ours are smaller, see ``SEED_BITS``).
        path: Names and numbers, unique to this use.
    """
    return _derive(seed.to_bytes(8, "little"), *path)


def private_seeds(seed: int, seats: int) -> tuple[int, ...]:
    """Derives a seed for each seat's bot; none of them reveals anything of another."""
    digest = blake2b(b"bots" + seed.to_bytes(8, "little"), digest_size=8 * seats).digest()
    return tuple([number >> _UNUSED_BITS for number in unpack(f"<{seats}Q", digest)])


def generator(seed: int) -> random.Random:
    """Creates a generator for one user of randomness."""
    return random.Random(seed)


def fresh_seed() -> int:
    """Draws a seed that nobody can foresee."""
    return random.SystemRandom().getrandbits(SEED_BITS)


def fresh_key() -> str:
    """Draws a key that nobody can foresee, as hexadecimal digits."""
    return random.SystemRandom().randbytes(KEY_BYTES).hex()
