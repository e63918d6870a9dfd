"""Raises an error with a text of 2 MB. It must lose by crash; little of the text is kept."""

from arena import Bot


class LongError(Bot):
    def act(self, observation):
        raise ValueError("x" * 2_000_000)
