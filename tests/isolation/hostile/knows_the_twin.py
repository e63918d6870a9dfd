"""Looks for the other leg of its deal: the same cards, seen from the other seat.

Who finds it knows the hand of its opponent and the cards to come. No process of it may meet both
legs of a deal: it plays on.
"""

from arena import Bot

CARDS = 3
SEEN = {}


class KnowsTheTwin(Bot):
    def act(self, observation):
        if not observation.sets and not observation.rival_sets:
            tables = [observation.table, observation.rival_table]
            if observation.seat:
                tables.reverse()
            drawn = tuple(tuple(square.value for square in table[:CARDS]) for table in tables)
            if all(len(cards) == CARDS for cards in drawn):
                deal = (*drawn, observation.starter)
                if SEEN.setdefault(deal, observation.seat) != observation.seat:
                    raise RuntimeError("GOT: the twin of a deal")
        return observation.legal_actions[0]
