"""Brings cards that are none. It must lose by an illegal action, before the deal."""

from player import play

play(loadout="+1 " * 9 + "+77")
