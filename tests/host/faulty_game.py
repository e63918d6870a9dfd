"""Pazaak that fails on purpose; a module of its own, which bots' processes import, too."""

from arena.games.pazaak.game import Pazaak


class FaultyPazaak(Pazaak):
    """Fails in its so many-th match from now."""

    matches_left = -1

    def new_state(self, ruleset, loadouts, dealer=None):
        FaultyPazaak.matches_left -= 1
        if FaultyPazaak.matches_left == 0:
            raise RuntimeError("out of cards")
        return super().new_state(ruleset, loadouts, dealer)
