"""Wants to bring a side deck of a hundred thousand cards. It must lose by an illegal action."""

from arena import Bot


class HugeLoadout(Bot):
    def prepare(self, offer):
        return list(offer.catalogue) * 5_000

    def act(self, observation):
        return observation.legal_actions[0]
