"""Reads its requests and says nothing. It must lose by timeout."""

from player import play

play(lambda message: None)
