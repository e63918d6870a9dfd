"""Raises an error with a text of 20 MB. It must lose by crash; little of the text is kept."""

from arena import Bot


class LongError(Bot):
    def act(self, observation):
        raise ValueError("x" * 20_000_000)
