"""Writes a file wherever files are written. There must be none anywhere; it plays on.

It tries already while it is imported.
"""

from pathlib import Path

from arena import Bot

OWN = Path(__file__).parent
FOLDERS = ("/tmp", "/var/tmp", "/dev/shm", "/run", OWN, OWN.parent, Path.cwd(), Path("/"))


def written():
    for folder in FOLDERS:
        try:
            (Path(folder) / "arena-hostile-marker").write_text("x")
        except OSError:
            continue
        return folder
    return None


FOUND = written()


class WritesAnywhere(Bot):
    def start(self, context):
        if FOUND or written():
            raise RuntimeError(f"GOT: a file in {FOUND or written()}")

    def act(self, observation):
        return observation.legal_actions[0]
