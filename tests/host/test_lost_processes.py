"""A bot that loses its process loses the match at fault; every other match is as without it."""

from __future__ import annotations

import math
import os
import signal
from functools import cache

import pytest
from msgspec.structs import replace

from arena.core.outcome import Termination
from arena.host.play.hosts import open_host
from tests.host.confined_plays import (
    PATIENT,
    SWIFT,
    breaker,
    breaks_in,
    match_settings,
    offences,
    play,
    records,
    renamed,
    schedule,
    untrusted,
    written,
)
from tests.host.levels import levels_here

EVERY = 6
DEATHS = {
    "exit": (Termination.CRASH, "its process ended with exit code 3"),
    "kill": (Termination.CRASH, "its process was killed by SIGKILL"),
    "segfault": (Termination.CRASH, "its process was killed by SIGSEGV"),
    "hang up": (Termination.CRASH, "its process ended with exit code 1"),
    "hang up and stay": (Termination.PROTOCOL, "it closed its line to the harness"),
    "huge frame": (Termination.PROTOCOL, "a message of 2147483648 bytes; at most"),
    "no message": (Termination.PROTOCOL, "the answer cannot be read: MessagePack data"),
    "no answers": (Termination.PROTOCOL, "0 answers to 1 requests"),
    "two answers": (Termination.PROTOCOL, "2 answers to 1 requests"),
    "wrong id": (Termination.PROTOCOL, "it answered something that it was not asked"),
    "flood": (Termination.OUTPUT, "it wrote too much to its log"),
    "raise": (Termination.CRASH, "ValueError"),
}
STALLS = {
    "loop": (Termination.TIMEOUT, "over its time"),
    "sleep": (Termination.TIMEOUT, "over its time"),
    "stop": (Termination.TIMEOUT, "over its time"),
}


def field(does="", **more):
    """The first bot breaks every sixth of its matches; another one and a house bot are well."""
    first = renamed(breaker(does, every=EVERY, **more), "first")
    return [first, renamed(breaker(), "second"), untrusted("stand(at=17)")]


@cache
def tame_records(deals):
    """The records of a tame field; no limit is in its way."""
    return records(play(match_settings(), field(), schedule(3, deals=deals)))


def check(does, when, cause, reason, limits, deals, at=1):
    """Plays them; the matches at fault are lost so, and the others are as in a tame field."""
    rules = match_settings(limits=limits, output=100_000, incidents=1000)
    bots, jobs = field(does, when=when, at=at), schedule(3, deals=deals)
    played = play(rules, bots, jobs)
    tame = tame_records(deals)
    broken = 0
    for match, job, record in zip(played, jobs, tame, strict=True):
        if not breaks_in(job, 0, EVERY):
            assert match.record.to_bytes() == record
            continue
        outcome = match.record.outcome
        if outcome.offender is None and at > 1:  # it was over before
            assert match.record.to_bytes() == record
            continue
        broken += 1
        assert (outcome.offender, outcome.termination) == (job.seats.index(0), cause)
        assert reason in outcome.reason
        assert outcome.reason.isprintable()
    assert broken >= 2


@pytest.mark.parametrize("when", ["start", "act"])
@pytest.mark.parametrize("does", DEATHS)
@pytest.mark.thorough(
    "lost in the start as in a decision",
    everyday=["exit-*", "kill-act", "huge frame-act", "wrong id-act", "flood-act"],
)
def test_only_the_match_in_which_a_process_is_lost_is_lost(does, when):
    check(does, when, *DEATHS[does], PATIENT, deals=3, at=1)


@pytest.mark.parametrize("does", STALLS)
@pytest.mark.thorough("hostile bots stall in these ways, too", everyday=["sleep"])
def test_a_bot_that_stalls_loses_the_one_match_by_time(does):
    check(does, "act", *STALLS[does], SWIFT, deals=4)


@pytest.mark.parametrize("does", ["exit", "flood", "no answers"])
@pytest.mark.thorough("other ways to lose a process", everyday=["exit"])
def test_the_history_of_matches_in_progress_is_replayed_to_a_new_process(does):
    """They play by private seeds, a draw a decision: one too few or too many would show."""
    check(does, "act", *DEATHS[does], PATIENT, deals=8, at=3)


@pytest.mark.parametrize("does", ["exit", "kill", "raise", "hang up", "flood", "loop"])
@pytest.mark.thorough("other ends", everyday=["exit", "raise"])
def test_nothing_that_a_bot_does_after_the_end_changes_any_match(does):
    rules, jobs = match_settings(limits=SWIFT, incidents=1000, output=100_000), schedule(3, deals=3)
    played = play(rules, field(does, when="finish"), jobs)
    assert records(played) == tame_records(3)


@pytest.mark.parametrize("where", ["import", "start-up"])
def test_a_bot_that_no_longer_starts_loses_its_matches(tmp_path, where):
    """It was well when it was entered."""
    file, mark = tmp_path / "moody.py", tmp_path / "mark"
    faults = f"import os; os.path.exists({str(mark)!r}) and os._exit(5)"
    file.write_text(
        "from arena import Bot\n"
        + (f"{faults}\n" if where == "import" else "")
        + "class Moody(Bot):\n"
        + (f"    def __init__(self):\n        {faults}\n" if where == "start-up" else "")
        + "    def act(self, observation):\n        return observation.legal_actions[0]\n"
    )
    bots, jobs = [untrusted(str(file)), untrusted("random")], schedule(2, deals=2)
    mark.touch()
    for match, job in zip(play(match_settings(), bots, jobs), jobs, strict=True):
        outcome = match.record.outcome
        assert (outcome.offender, outcome.move) == (job.seats.index(0), 0)
        assert outcome.termination is Termination.CRASH
        assert outcome.reason == "its process ended with exit code 5"


def test_after_too_many_lost_processes_all_that_is_left_is_forfeited():
    rules, jobs = match_settings(incidents=3), schedule(3, deals=5)
    played = play(rules, [renamed(breaker("exit"), "first"), *field()[1:]], jobs)
    tame = play(rules, field(), jobs)
    reasons = []
    for match, quiet, job in zip(played, tame, jobs, strict=True):
        if 0 not in job.seats:
            assert match.record == quiet.record
            continue
        assert offences([match]) == [(job.seats.index(0), "crash")]
        reasons.append(match.record.outcome.reason)
    # Both lanes may lose one at the same time.
    assert reasons.count("its process ended with exit code 3") in (3, 4)
    forfeits = {reason for reason in reasons if reason.startswith("forfeited")}
    assert forfeits == {
        "forfeited after 3 lost processes; the last: its process ended with exit code 3"
    }


EXITS = """
import os, sys
from arena import Bot

PIPE = os.open({pipe!r}, os.O_WRONLY)

class Exits(Bot):
    def start(self, context):
        self.bad = context.seed % {every} == 0

    def act(self, observation):
        requests = sys._getframe(2).f_locals["requests"]
        asked = [one for one in requests if hasattr(one, "id")]
        matches = {{n for one in asked for n in getattr(one, "matches", None) or [one.match]}}
        os.write(PIPE, b"%d %d\\n" % (self.bad, len(matches)))
        if self.bad:
            os._exit(3)
        return observation.legal_actions[0]
"""
"""A bot that writes of how many matches it was sent requests together, and exits in some."""


def test_after_three_lost_batches_requests_of_a_bot_go_one_by_one(tmp_path):
    pipe = tmp_path / "notes"
    os.mkfifo(pipe)
    reads = os.open(pipe, os.O_RDWR | os.O_NONBLOCK)  # holds 64 KiB, of which this takes a third
    bot = written(tmp_path, "exits", EXITS.format(pipe=str(pipe), every=EVERY))
    # All first legs: by one process after another. At first none is broken, so that batches grow.
    legs = [job for job in schedule(2, deals=300) if job.key.leg % 2]
    well = [job for job in legs if not breaks_in(job, 0, EVERY)][:60]
    jobs = well + [job for job in legs if job not in well]
    with open_host(match_settings(incidents=1000), [bot, untrusted("stand(at=17)")]) as host:
        host.play(jobs, math.inf)
        assert 3 <= host._faults[0].lost_batches <= 10
    lines = os.read(reads, 1 << 16).decode().splitlines()
    os.close(reads)
    notes = [(bad == "1", int(size)) for bad, size in map(str.split, lines)]
    exits = [place for place, (bad, _) in enumerate(notes) if bad]
    assert max(size for _, size in notes[: exits[0]]) > 4
    assert 1 <= sum(notes[place][1] > 1 for place in exits) <= 3
    assert len(exits) > 30
    assert {size for _, size in notes[exits[-10] :]} == {1}


@pytest.mark.parametrize("length", [10, 40_000])
def test_the_end_of_what_a_dead_bot_wrote_is_kept_for_its_author(tmp_path, length):
    file = tmp_path / "last_words.py"
    file.write_text(
        "import os, sys\nfrom arena import Bot\nclass LastWords(Bot):\n"
        "    def act(self, observation):\n"
        f"        print('to stderr', 'x' * {length}, file=sys.stderr)\n"
        "        print('to stdout')\n"
        "        os._exit(4)\n"
    )
    (match, *_) = play(
        match_settings(log=500), [untrusted(str(file)), untrusted("random")], schedule(2)
    )
    error = match.measurement.error
    assert error.endswith("xxx\nto stdout\n")
    assert len(error) == min(500, length + len("to stderr \nto stdout\n"))


@pytest.mark.parametrize("level", [each for each in levels_here() if each.rank])
@pytest.mark.thorough("the other levels", everyday=["confined"])
def test_a_bot_that_takes_too_long_is_shown_the_line_that_it_was_in(tmp_path, level):
    file = tmp_path / "stuck.py"
    file.write_text(
        "from arena import Bot\nclass Stuck(Bot):\n"
        "    def act(self, observation):\n"
        "        return self.think()\n"
        "    def think(self):\n"
        "        while True:\n"
        "            try: sum(range(9))\n"
        "            except BaseException: pass\n"
    )
    rules = match_settings(level=level, limits=SWIFT)
    (match, *_) = play(rules, [untrusted(str(file)), untrusted("random")], schedule(2, deals=1))
    error = match.measurement.error
    lines = [line.split(", line ")[1] for line in error.splitlines() if "stuck.py" in line]
    assert lines[0] in ("6 in think", "7 in think")
    assert lines[1] == "4 in act"
    assert "bot_runtime" not in error


def test_a_host_plays_the_next_chunk_after_losses():
    jobs, rules = schedule(3, deals=4), match_settings(incidents=1000)
    tame = tame_records(4)
    with open_host(rules, field("exit")) as host:
        for begin in range(0, len(jobs), 6):
            part = jobs[begin : begin + 6]
            for match, job in zip(host.play(part, math.inf), part, strict=True):
                if not breaks_in(job, 0, EVERY):
                    assert match.record.to_bytes() == tame[jobs.index(job)]


FORKS = """
import os, signal
from pathlib import Path
from arena import Bot

class Forks(Bot):
    acted = 0

    def act(self, observation):
        Forks.acted += 1
        if Forks.acted == 40:
            child = os.fork()
            if not child:
                signal.pause()
            Path({file!r}).write_text(str(child))
        return observation.legal_actions[1]
"""
"""A trusted bot that makes a child with a copy of every descriptor, as multiprocessing may."""


def test_a_child_that_holds_all_descriptors_is_in_nobodys_way(tmp_path):
    file = tmp_path / "child"
    forks = replace(written(tmp_path, "forks", FORKS.format(file=str(file))), trusted=True)
    bots = [forks, breaker("no message", every=EVERY), untrusted("random")]
    jobs = schedule(3, deals=30)
    try:
        played = play(match_settings(incidents=1000), bots, jobs)
    finally:
        child = int(file.read_text())
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    broken = [breaks_in(job, 1, EVERY) for job in jobs]
    assert [offender is not None for offender, _ in offences(played)] == broken


RAISES = """
from arena import Bot

class Raises(Bot):
    def act(self, observation):
        0 / 0
"""


def test_the_error_of_a_trusted_rival_holds_nothing_of_a_lost_process(tmp_path):
    raises = replace(written(tmp_path, "raises", RAISES), trusted=True)
    bots = [breaker("exit"), raises, untrusted("random")]
    played = play(match_settings("sabacc"), bots, schedule(3, 3, deals=4))
    errors = [match.measurement.error for match in played]
    both = [error for error in errors if "exit code 3" in error and "ZeroDivisionError" in error]
    assert len(both) > 4
    for error in both:
        assert "/arena/host/" not in error
