"""Seeds and generators: the only module that makes a source of randomness.

Every seed is derived by hash from the tournament seed and the place where it is used, so that it
is fixed when the match is scheduled and no order of execution can change it.
"""

from __future__ import annotations

import random
from hashlib import blake2b
from struct import unpack

SEED_BITS = 53
"""Seeds are 0 .. 2**53-1: whole numbers of that size survive every reader of JSON."""
_UNUSED_BITS = 64 - SEED_BITS


def derive_seed(seed: int, *place: str | int) -> int:
    """A seed for one place below another seed, e.g. ``derive_seed(7, "round", 2, "pairing", 1)``.

    Args:
        seed: The seed above, 0 .. 2**63-1 (ours are smaller, see ``SEED_BITS``).
        place: Names and numbers that tell this place from all others.
    """
    text = "/".join(map(str, place)).encode()
    digest = blake2b(text, digest_size=8, key=seed.to_bytes(8, "little")).digest()
    return int.from_bytes(digest, "little") >> _UNUSED_BITS


def private_seeds(seed: int, seats: int) -> tuple[int, ...]:
    """A seed for each seat's bot; none of them tells anything of another."""
    digest = blake2b(b"bots" + seed.to_bytes(8, "little"), digest_size=8 * seats).digest()
    return tuple([word >> _UNUSED_BITS for word in unpack(f"<{seats}Q", digest)])


def generator(seed: int) -> random.Random:
    """A generator of its own for one user of randomness."""
    return random.Random(seed)


def fresh_seed() -> int:
    """A seed that nobody can foresee, for a tournament that was given none; print and store it."""
    return random.SystemRandom().getrandbits(SEED_BITS)
