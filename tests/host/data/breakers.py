"""Untrusted bots that play at random, and break what their parameters say; each stands alone."""

import os
import signal
import threading
import time

from arena import Bot


def burn(seconds):
    """Computes for so long, however busy the machine is."""
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


def hoard():
    """Takes memory until there is no more."""
    held = []
    while True:
        held.append(bytearray(1 << 20))


def loop():
    while True:
        pass


def fails():
    raise ValueError("on purpose")


def forge(data):
    """Writes on the harness's line, past our runtime."""
    os.write(3, data)


DOES = {
    "exit": lambda: os._exit(3),
    "kill": lambda: os.kill(os.getpid(), signal.SIGKILL),
    "segfault": lambda: os.kill(os.getpid(), signal.SIGSEGV),
    "stop": lambda: os.kill(os.getpid(), signal.SIGSTOP),
    "hang up": lambda: os.closerange(3, 64),
    "hang up and stay": lambda: (os.closerange(3, 64), time.sleep(60)),
    "loop": loop,
    "sleep": lambda: time.sleep(60),
    "nap": lambda: time.sleep(0.02),
    "raise": fails,
    "burn": lambda: burn(0.3),
    "burn behind": lambda: threading.Thread(target=burn, args=(60,), daemon=True).start(),
    "flood": lambda: print("x" * 200_000),
    "hoard": hoard,
    "huge frame": lambda: forge((1 << 31).to_bytes(4, "little")),
    "no message": lambda: forge(b"\1\0\0\0\xc1"),
    "no answers": lambda: forge(b"\1\0\0\0\x90"),
    "two answers": lambda: forge(b"\x0b\0\0\0\x92\x81\xa2id\1\x81\xa2id\2"),
    "wrong id": lambda: forge(b"\x0e\0\0\0\x91\x82\xa2id\0\xa6action\0"),
}


class Random(Bot):
    """Random play from the private seed, one draw a decision: its state is how far it drew.

    Args:
        does: What it does besides; empty for nothing.
        when: In which method.
        at: At which of its decisions, from 1.
        every: In every so many-th match, by the private seed.
    """

    def __init__(self, does: str = "", when: str = "act", at: int = 1, every: int = 1) -> None:
        self.does, self.when, self.at, self.every = does, when, at, every
        self.asked = 0

    def start(self, context):
        self.context, self.random = context, context.rng()
        self.breaks("start")

    def prepare(self, offer):
        self.breaks("prepare")

    def act(self, observation):
        self.asked += 1
        if self.asked == self.at:
            self.breaks("act")
        return self.random.choice(observation.legal_actions)

    def finish(self, outcome):
        self.breaks("finish")

    def breaks(self, method):
        if self.does and method == self.when and self.context.seed % self.every == 0:
            DOES[self.does]()


class Logs(Random):
    """Leaves an empty file with a name of facts for every match that it starts and finishes.

    Args:
        folder: Where.
        does: As above, in every third match.
    """

    def __init__(self, folder: str, does: str = "") -> None:
        super().__init__(does, every=3)
        self.folder = folder

    def start(self, context):
        super().start(context)
        self.log(f"start {os.getpid()} {context.seed}")

    def finish(self, outcome):
        returns = " ".join(map(str, outcome.returns))
        self.log(f"finish {self.context.seed} {outcome.termination} {returns}")

    def log(self, line):
        os.close(os.open(os.path.join(self.folder, line), os.O_CREAT | os.O_WRONLY))


class Dawdles(Random):
    """Takes a tenth of a second for each decision of some of its matches.

    Args:
        every: One in so many matches, by the private seed.
    """

    def __init__(self, every: int) -> None:
        super().__init__(every=every)

    def act(self, observation):
        if self.context.seed % self.every == 0:
            time.sleep(0.1)
        return super().act(observation)


class Plays(Random):
    """Says which games it plays."""

    games = ("sabacc",)


class NoBot:
    """Does not derive from ``Bot``."""
