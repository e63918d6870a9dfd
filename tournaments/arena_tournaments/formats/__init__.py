"""Formats of tournaments: pure functions from the field and its results to the next round.

One kind a file: ``round_robin`` (Berger tables), ``swiss`` (FIDE Dutch), and for tables of more
than two ``table_round_robin`` (on the ``circle``) and ``table_swiss``. ``repair`` pairs the rounds
that the Dutch rules leave to the arbiter.
"""
