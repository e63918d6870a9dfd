"""Tries small seeds of the tournament, to know the deck before it is drawn from.

By its private seed: it tries every place for a seed from which that would come. By its cards: it
tries every deal for one that begins as this one did. It raises what it finds.
"""

from hashlib import blake2b

from arena import Bot, SeatStreams
from arena.core.chance.seeding import SeedOrigin, SeedSource, private_seeds

SEEDS = range(64)
PAIRINGS, LEGS = range(1, 4), range(1, 5)
FORTY = tuple(card for card in range(1, 11) for _ in range(4))
ENOUGH = 12
"""Cards that no other deal among those that it tries begins with."""


def derived(seed, *place):
    """A seed below the tournament's, if private seeds were derived as deals are."""
    key = seed.to_bytes(8, "little")
    digest = blake2b("/".join(map(str, place)).encode(), digest_size=8, key=key).digest()
    return int.from_bytes(digest, "little") >> 11


def as_deals(seed, pairing, leg):
    return derived(seed, "round", 1, "pairing", pairing, "bots", leg)


def present(seed, pairing, leg):
    return SeedSource(SeedOrigin.OPEN_SEED, seed).keys().private(1, pairing, leg)


class GuessesSeeds(Bot):
    def __init__(self, by="cards"):
        self.by, self.drawn = by, {}

    def start(self, context):
        if self.by == "private seed":
            for way in (as_deals, present):
                found = [seed for seed in SEEDS if self.comes_from(context, seed, way)]
                if 0 < len(found) < len(SEEDS):
                    raise RuntimeError(f"GOT: seed {found} by the private seed")

    def comes_from(self, context, seed, way):
        return any(
            context.seed in private_seeds(way(seed, pairing, leg), context.seats)
            for pairing in PAIRINGS
            for leg in LEGS
        )

    def act(self, observation):
        if self.by == "cards":
            self.look(observation)
        return observation.legal_actions[0]

    def look(self, observation):
        seen = tuple(square.value for square in observation.table)
        self.drawn[observation.set_number] = seen
        if sum(map(len, self.drawn.values())) < ENOUGH:
            return
        for seed in SEEDS:
            keys = SeedSource(SeedOrigin.OPEN_SEED, seed).keys()
            for deal in (keys.deal(1, pairing, each) for pairing in PAIRINGS for each in LEGS):
                if self.fits(SeatStreams(deal), observation.seat):
                    raise RuntimeError(f"GOT: seed {seed} by its cards")

    def fits(self, dealer, seat):
        for number, cards in self.drawn.items():
            pile = dealer.pile(f"main/{number}", FORTY, 2)
            if cards != tuple(pile.draw(seat) for _ in cards):
                return False
        return True
