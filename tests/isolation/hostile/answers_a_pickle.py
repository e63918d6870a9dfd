"""Answers with something that leaves a file where it is unpickled.

It must lose by an illegal action, and the file must not be.
"""

import os

from arena import Bot


class Loaded:
    def __reduce__(self):
        return os.system, ("touch /tmp/arena-hostile-marker-pickle",)


class AnswersAPickle(Bot):
    def act(self, observation):
        return Loaded()
