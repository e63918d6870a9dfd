"""Expected outcomes of hostile bots: a row each, grouped by the tournament that they play."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from arena.core.outcome import Termination
from arena.service.answers.engine import engine

CRASH, ILLEGAL = Termination.CRASH, Termination.ILLEGAL_ACTION
TIMEOUT, MEMORY = Termination.TIMEOUT, Termination.MEMORY
OUTPUT, PROTOCOL = Termination.OUTPUT, Termination.PROTOCOL
COMPILED = engine() == "compiled"


class Expected(NamedTuple):
    """Allowed outcomes of a bot's matches against well-behaved ones.

    Attributes:
        causes: The causes for which it may lose one.
        always: Whether it must lose every one so; else it may also play to the end.
    """

    causes: frozenset[Termination]
    always: bool


PLAYS_ON = Expected(frozenset(), always=False)
"""Its attack fails and costs it nothing: all its matches are decided by the rules."""


def loses(*causes: Termination) -> Expected:
    return Expected(frozenset(causes), always=True)


def may_lose(*causes: Termination) -> Expected:
    return Expected(frozenset(causes), always=False)


FILE_BOTS: dict[str, dict[str, Expected]] = {
    "time": {
        "loops": loses(TIMEOUT),
        "sleeps": loses(TIMEOUT),
        "sleeps_stubbornly": loses(TIMEOUT),
        "loops_in_start": loses(TIMEOUT),
        "loops_in_prepare": loses(TIMEOUT, MEMORY),
        "loops_in_finish": may_lose(TIMEOUT),
        "drips": loses(TIMEOUT),
        "holds_the_interpreter": loses(TIMEOUT),
        "huge_integer": loses(TIMEOUT, MEMORY),
        "thinks_behind": may_lose(TIMEOUT),
        "ignores_signals": loses(TIMEOUT),
        "stops_itself": may_lose(TIMEOUT),
        "never_ends_its_error": loses(CRASH, TIMEOUT),
        "says_ready_early": loses(TIMEOUT, PROTOCOL),
    },
    "memory and output": {
        "memory_bomb": loses(MEMORY),
        "memory_hoard": may_lose(MEMORY),
        "swallows_memory_errors": may_lose(MEMORY, CRASH, PROTOCOL, TIMEOUT),
        "recursion": loses(CRASH),
        "recursion_unlimited": loses(CRASH, MEMORY),
        "thread_bomb": loses(CRASH, MEMORY),
        "thread_flood": PLAYS_ON,
        "scattered_pages": may_lose(MEMORY, TIMEOUT),
        "huge_loadout": loses(ILLEGAL),
        "output_flood": loses(OUTPUT),
        "stderr_flood": loses(OUTPUT),
        "chatters": PLAYS_ON,
        "closes_its_streams": PLAYS_ON,
        "terminal_codes": loses(CRASH),
        "long_error": loses(CRASH, MEMORY),
    },
    "death": {
        "exits": loses(CRASH),
        "exits_politely": loses(CRASH),
        "exits_in_finish": may_lose(CRASH),
        "aborts": loses(CRASH),
        "segfaults": loses(CRASH),
        "kills_itself": may_lose(CRASH),
        "interrupts": loses(CRASH),
        "raises_harness_faults": loses(CRASH),
        "closes_descriptors": loses(CRASH, PROTOCOL),
        "replaces_descriptors": loses(CRASH, PROTOCOL, TIMEOUT),
    },
    "wire": {
        "half_a_frame": loses(PROTOCOL, TIMEOUT),
        "half_a_frame_and_silence": loses(TIMEOUT),
        "frame_drip": loses(TIMEOUT),
        "frame_of_four_gigabytes": loses(PROTOCOL, OUTPUT),
        "frame_flood": loses(PROTOCOL, OUTPUT),
        "frame_of_nonsense": loses(PROTOCOL),
        "frame_of_nests": loses(PROTOCOL),
        "frame_of_types": loses(PROTOCOL),
        "wrong_count": loses(PROTOCOL),
        "too_few_answers": loses(PROTOCOL),
        "wrong_ids": loses(PROTOCOL),
        "runs_on": loses(PROTOCOL),
        "runs_off_the_ids": loses(PROTOCOL),
        "answers_early": loses(PROTOCOL),
        "answers_late": loses(PROTOCOL),
        "answers_for_other_matches": loses(PROTOCOL),
        "says_it_failed": loses(PROTOCOL, CRASH),
        "eats_requests": loses(TIMEOUT),
        "sends_descriptors": may_lose(PROTOCOL),
    },
    "answers": {
        "answers_none": loses(ILLEGAL),
        "answers_nan": loses(ILLEGAL),
        "answers_text": loses(ILLEGAL),
        "answers_a_subclass": loses(ILLEGAL),
        "answers_an_impostor": loses(ILLEGAL, CRASH),
        "answers_a_copy": loses(ILLEGAL),
        "answers_a_pickle": loses(ILLEGAL),
        "answers_pickled_bytes": loses(ILLEGAL),
        "rewrites_actions": loses(ILLEGAL),
        "someone_elses_action": loses(ILLEGAL),
        "stale_action": loses(ILLEGAL),
        "rewrites_observations": PLAYS_ON,
    },
    "processes": {
        "fork_bomb": PLAYS_ON,
        "clones": PLAYS_ON,
        "spawns": PLAYS_ON,
        "execs": PLAYS_ON,
        "kills_its_parent": PLAYS_ON,
        "signals_others": PLAYS_ON,
        "signals_by_input": PLAYS_ON,
        "limits_its_parent": PLAYS_ON,
        "raises_its_limits": PLAYS_ON,
        "traces": PLAYS_ON,
        "takes_descriptors": PLAYS_ON,
        "takes_priority": PLAYS_ON,
        "outlives": PLAYS_ON,
    },
    "files": {
        "reads_system_files": PLAYS_ON,
        "lists_folders": PLAYS_ON,
        "reads_other_processes": PLAYS_ON,
        "reads_environment": PLAYS_ON,
        "reads_database": PLAYS_ON,
        "damages_database": PLAYS_ON,
        "changes_metadata": PLAYS_ON,
        "reads_rivals": PLAYS_ON,
        "imports_rivals": PLAYS_ON,
        "imports_harness": PLAYS_ON,
        "reads_harness": PLAYS_ON,
        "writes_anywhere": PLAYS_ON,
        "makes_nodes": PLAYS_ON,
        "fills_memory_files": PLAYS_ON,
    },
    "network and kernel": {
        "connects_tcp": PLAYS_ON,
        "sends_udp": PLAYS_ON,
        "connects_unix": PLAYS_ON,
        "sends_from_a_pair": PLAYS_ON,
        "opens_odd_sockets": PLAYS_ON,
        "asks_names": PLAYS_ON,
        "opens_io_uring": PLAYS_ON,
        "keeps_keys": PLAYS_ON,
        "makes_namespaces": PLAYS_ON,
        "acts_as_root": PLAYS_ON,
        "opens_kernel_doors": PLAYS_ON,
        "calls_as_another_machine": may_lose(CRASH),
        "shares_memory": PLAYS_ON,
    },
    "inside": {
        # Compiled code checks what a patched function returns: a bot may break its own copy.
        "patches_sdk": may_lose(CRASH) if COMPILED else PLAYS_ON,
        "patches_runtime": may_lose(CRASH, PROTOCOL),
        "poisons_modules": may_lose(CRASH, PROTOCOL, TIMEOUT),
        "looks_through_memory": PLAYS_ON,
        "looks_through_frames": PLAYS_ON,
        "looks_at_both_hands": PLAYS_ON,
        "reseeds_random": PLAYS_ON,
        "knows_the_twin": PLAYS_ON,
        "colludes_by_files": PLAYS_ON,
        "colludes_by_locks": PLAYS_ON,
        "colludes_by_futex": PLAYS_ON,
        "colludes_by_timing": PLAYS_ON,
        "colludes_by_numbers": PLAYS_ON,
        "colludes_by_access_times": PLAYS_ON,
        "colludes_by_signals": PLAYS_ON,
        "colludes_by_cookies": PLAYS_ON,
        "counts_processes": PLAYS_ON,
        "names_itself": PLAYS_ON,
    },
}
"""Python bots, which our own runtime loads: ``hostile/NAME.py``."""

PROGRAMS: dict[str, dict[str, Expected]] = {
    "lines": {
        "half_a_line": loses(TIMEOUT),
        "half_a_line_and_the_end": loses(CRASH, PROTOCOL),
        "line_drip": loses(TIMEOUT),
        "wrong_id": loses(PROTOCOL),
        "two_answers": loses(PROTOCOL),
        "early_answers": loses(PROTOCOL),
        "answers_out_of_order": may_lose(PROTOCOL),
        "silent": loses(TIMEOUT),
        "line_flood": loses(PROTOCOL, OUTPUT),
        "endless_line": loses(PROTOCOL),
        "not_json": loses(PROTOCOL),
        "not_numbers": loses(PROTOCOL),
        "nested_lists": loses(PROTOCOL),
        "not_utf8": loses(PROTOCOL),
    },
    "programs": {
        "stale_text": loses(ILLEGAL),
        "foreign_text": loses(ILLEGAL),
        "invented_text": loses(ILLEGAL, PROTOCOL),
        "forbidden_loadout": loses(ILLEGAL),
        "voids_matches": loses(CRASH, PROTOCOL),
        "log_flood": loses(OUTPUT),
        "memory_eater": loses(MEMORY, CRASH),
        "ends": loses(CRASH),
        "becomes_a_shell": PLAYS_ON,
        "has_children": PLAYS_ON,
        "looks_around": PLAYS_ON,
        "leaves_files": PLAYS_ON,
        "phones_home": PLAYS_ON,
        "shoots_back": PLAYS_ON,
        "forks_in_c": PLAYS_ON,
        "thread_storm": PLAYS_ON,
        "page_tables": may_lose(MEMORY, TIMEOUT),
        "tables_without_leader": may_lose(MEMORY, TIMEOUT),
        "tables_under_a_name": may_lose(MEMORY, TIMEOUT),
        "grows_down": PLAYS_ON,
    },
}
"""Programs that speak the protocol themselves: ``programs/NAME.py`` or ``.c``."""

EXPECTED = {
    name: expected for theme in (FILE_BOTS | PROGRAMS).values() for name, expected in theme.items()
}
IN_TIME = 5.0
"""Seconds for a decision where nobody has to be stopped: enough on the busiest machine."""
SHORT = 0.25
"""... and where somebody has to be, which takes that long each time."""
A_TOURNAMENT = 15
"""Hostile bots in one tournament, at most.

Each tournament starts its own workers and well-behaved bots, and the number of its matches grows
as the square."""
BOXED = (
    *("thread_flood", "scattered_pages", "thread_storm", "page_tables", "tables_without_leader"),
    *("tables_under_a_name", "grows_down", "names_itself", "colludes_by_numbers"),
    *("colludes_by_access_times", "counts_processes", "colludes_by_signals", "colludes_by_cookies"),
)
"""Those whose attack another level of isolation stops by other means."""


class Tournament(NamedTuple):
    """A tournament of hostile bots.

    Attributes:
        level: The level of isolation.
        bots: The hostile bots in it.
    """

    level: str
    bots: Sequence[str]


def seconds_for(bots: Iterable[str]) -> float:
    """Returns the time for a decision in a tournament of these hostile bots."""
    return SHORT if any(TIMEOUT in EXPECTED[bot].causes for bot in bots) else IN_TIME


def _tournaments() -> dict[str, Tournament]:
    """Splits the bots into tournaments: those that have to be stopped play among themselves."""
    bots, programs = (
        [name for theme in themes.values() for name in theme] for themes in (FILE_BOTS, PROGRAMS)
    )
    fields = {"bots": bots, "programs": programs, "boxed": BOXED}
    tournaments = {}
    for field, everybody in fields.items():
        for seconds in (SHORT, IN_TIME):
            names = [name for name in everybody if seconds_for([name]) == seconds]
            parts = -(-len(names) // A_TOURNAMENT)
            level = "boxed" if field == "boxed" else "confined"
            for part in range(parts):
                key = f"{field}-{seconds}s-{part + 1}"
                tournaments[key] = Tournament(level, names[part::parts])
    return tournaments


TOURNAMENTS = _tournaments()
REFUSED = {
    "loops_at_import": "over its time",
    "sleeps_in_constructor": "over its time",
    "exits_at_import": "ended with exit code 0",
    "aborts_at_import": "killed by SIGABRT",
    "raises_at_import": "not today",
    "floods_at_import": "wrote too much",
    "hoards_at_import": "MemoryError",
    "speaks_another_protocol": "protocol",
}
"""Bots that break before they can be entered: each is refused, with a reason that says this."""

REFUSED_PROGRAMS = {"forged_class": "expected a 64-bit executable for"}
"""Programs refused for what their files say: ``refused/NAME.c``, wrapped by ``forged.py``."""
