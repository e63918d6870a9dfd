"""Reads the source of the other bots beside it, to play against what they will do. It plays on."""

from pathlib import Path

from arena import Bot

NAMES = ("rival.py", "sleeps.py", "loops.py")


class ReadsRivals(Bot):
    def start(self, context):
        for name in NAMES:
            try:
                text = (Path(__file__).parent / name).read_text()
            except OSError:
                continue
            raise RuntimeError(f"GOT: {text.splitlines()[0]}")

    def act(self, observation):
        return observation.legal_actions[0]
