"""Raises ``KeyboardInterrupt``, as if the user had pressed Ctrl-C. It must lose by crash."""

from arena import Bot


class Interrupts(Bot):
    def act(self, observation):
        raise KeyboardInterrupt
