"""Raises the harness's own error for its own mistakes, to have its matches voided.

It must lose by crash.
"""

from arena import Bot
from arena.core.errors import HarnessFault


class RaisesHarnessFaults(Bot):
    def act(self, observation):
        raise HarnessFault("the match is void; play it again")
