"""Brings a pickle for a side deck that leaves a file where it is loaded.

It must lose by an illegal action, and the file must not be.
"""

import os
import pickle

from arena import Bot


class Loaded:
    def __reduce__(self):
        return os.system, ("touch /tmp/arena-hostile-marker-pickle",)


class AnswersPickledBytes(Bot):
    def prepare(self, offer):
        return pickle.dumps(Loaded())

    def act(self, observation):
        return observation.legal_actions[0]
