"""Offers a side deck that never ends. It must lose before the deal, by time or by memory."""

import itertools

from arena import Bot


class LoopsInPrepare(Bot):
    def prepare(self, offer):
        return tuple(itertools.cycle(offer.catalogue))
