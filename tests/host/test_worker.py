"""Chunks of matches: every way to break a match loses that match, and nothing else."""

from __future__ import annotations

import time
from functools import partial
from weakref import ProxyType

import msgspec
import pytest

from arena.core.errors import BadPlugin, HarnessFault
from arena.core.outcome import Termination
from arena.core.record import MatchKey
from arena.core.tournaments.format import Job
from arena.core.tournaments.wire import decode_matches, encode
from arena.host.play import hosts, worker
from arena.host.play.worker import Setup, play_chunk
from arena.match.limits import Limits
from arena.plugins.loading import load_bot
from tests.host.hostile_matches import HOSTILE, JOBS, REGISTRY, hostile, played, setup_of

MOVE = {0: 2, 1: 3}
"""Decisions taken before the hostile bot's second one, by its seat (this deal: one each a turn)."""

CRASHES = {
    "value": "ValueError: seventeen",
    "exit": "SystemExit: 0",
    "interrupt": "KeyboardInterrupt",
    "generator": "GeneratorExit",
    "stop": "StopIteration: 3",
    "own": "Own: mine",
    "group": "ValueError: two",
    "surrogate": "ValueError: \\ud800",
    "mute": "Mute: <exception str() failed>",
    "endless": "Endless: <exception str() failed>",
    "untraceable": "Untraceable (its traceback cannot be written)",
    "odd-name": "odd\nname",
    "mutate": "immutable type: 'PazaakObservation'",
    "delete": "immutable type: 'PazaakObservation'",
    "recurse": "RecursionError",
}
NONSENSE = {
    "text": "str",
    "none": "NoneType",
    "boolean": "bool",
    "zero": "int",
    "number": "Number",
    "list": "list",
    "copy": "PazaakAction",
    "not legal": "play +1",
    "forged": "play +1",
    "impostor": "Impostor",
    "class": "object",
}
UNTOUCHABLE = {"faceless": "Faceless", "dead": ProxyType.__name__}
"""Answers that raise when they are asked for their class."""

pytestmark = pytest.mark.usefixtures("deaf")


@pytest.mark.parametrize("how", CRASHES)
def test_a_bot_that_raises_loses_by_crash_with_its_own_traceback(how):
    for seat, match in enumerate(played(hostile(how), "random")):
        outcome = match.record.outcome
        assert outcome.termination is Termination.CRASH
        assert (outcome.offender, outcome.move) == (seat, MOVE[seat])
        assert outcome.returns[seat] == -1
        assert CRASHES[how] in match.measurement.error
        assert "arena/host" not in match.measurement.error
        assert str(HOSTILE) not in outcome.reason
        assert outcome.reason.isprintable()


@pytest.mark.parametrize(("how", "shown"), [*NONSENSE.items(), *UNTOUCHABLE.items()])
def test_an_answer_outside_the_legal_actions_loses_by_illegal_action(how, shown):
    for seat, match in enumerate(played(hostile(how), "random")):
        outcome = match.record.outcome
        assert outcome.termination is Termination.ILLEGAL_ACTION
        assert (outcome.offender, outcome.move) == (seat, MOVE[seat])
        assert outcome.reason.startswith(f"{shown} is not one of: end turn, stand")
        assert match.measurement.error == outcome.reason


def test_a_bot_that_changes_its_observation_changes_no_match():
    """No class can refuse that within a process, but the state decides what is legal."""
    quiet = played(hostile("nothing", "finish"), "random")
    for match, other in zip(played(hostile("force"), "random"), quiet, strict=True):
        assert match.record.outcome == other.record.outcome
        assert match.record.actions == other.record.actions
        assert match.measurement.error == ""


@pytest.mark.parametrize("how", ["loop", "sleep"])
def test_a_bot_that_never_answers_is_interrupted_and_loses_by_timeout(how):
    began = time.perf_counter()
    (match,) = played(hostile(how), "random", jobs=JOBS[:1])
    assert time.perf_counter() - began < 30
    outcome = match.record.outcome
    assert outcome.termination is Termination.TIMEOUT
    assert (outcome.offender, outcome.move) == (0, 2)
    assert outcome.reason == "over its time: more than 0.3 s for a decision"
    assert f"in {how}" in match.measurement.error or "lambda" in match.measurement.error
    assert 100_000_000 <= match.measurement.nanoseconds[0] < 30_000_000_000


@pytest.mark.parametrize("when", ["start", "prepare"])
@pytest.mark.parametrize("how", ["value", "exit", "interrupt", "recurse", "loop"])
def test_a_bot_that_breaks_before_the_deal_loses_at_move_nought(how, when):
    for seat, match in enumerate(played(hostile(how, when), "random")):
        outcome = match.record.outcome
        cause = Termination.TIMEOUT if how == "loop" else Termination.CRASH
        assert outcome.termination is cause
        assert (outcome.offender, outcome.move, outcome.scores) == (seat, 0, (0, 0))
        assert match.measurement.error


@pytest.mark.parametrize("how", ["text", "zero", "boolean", "class"])
def test_a_side_deck_that_is_nonsense_loses_by_illegal_action(how):
    for match in played(hostile(how, "prepare"), "random"):
        assert match.record.outcome.termination is Termination.ILLEGAL_ACTION


@pytest.mark.parametrize("how", ["value", "exit", "interrupt", "loop"])
def test_faults_after_the_end_change_nothing(how):
    quiet = played(hostile("nothing", "finish"), "random")
    for match, other in zip(played(hostile(how, "finish"), "random"), quiet, strict=True):
        assert match.record.outcome == other.record.outcome
        assert match.record.actions == other.record.actions
        assert match.measurement.error == ""


def test_a_bot_without_a_usable_act_loses_by_crash():
    for match in played(f"{HOSTILE}:Faceful", "random"):
        assert match.record.outcome.termination is Termination.CRASH
        assert "no act" in match.measurement.error


def test_two_hostile_bots_the_first_fault_decides():
    (match, _) = played(hostile("text", at=1), hostile("value", at=1))
    first = match.record.outcome.offender
    assert match.record.outcome.move == 0
    assert match.record.outcome.termination is (
        Termination.ILLEGAL_ACTION if first == 0 else Termination.CRASH
    )


def test_an_error_object_raised_again_and_again_gathers_no_frames():
    jobs = [Job(MatchKey(1, 1, leg), leg, leg, (0, 1)) for leg in range(1, 51)]
    errors = {match.measurement.error for match in played(hostile("value"), "random", jobs=jobs)}
    assert len(errors) == 1


def test_matches_of_other_bots_do_not_change():
    """A bot that breaks its match in a chunk leaves the chunk's other matches alone."""
    jobs = [
        Job(MatchKey(1, pairing, leg), 10 + pairing, leg, seats)
        for pairing, seats in enumerate([(1, 2), (0, 1), (2, 1), (0, 2), (1, 2)], start=1)
        for leg in (1, 2)
    ]

    def others(*bots: str):
        return [
            match.record
            for match, job in zip(played(*bots, jobs=jobs), jobs, strict=True)
            if 0 not in job.seats
        ]

    tame = others("stand(at=16)", "random", "stand(at=17)")
    for how in ("value", "interrupt", "loop", "recurse", "impostor"):
        assert others(hostile(how), "random", "stand(at=17)") == tame


def test_a_chunk_stops_when_its_time_is_up_after_one_match_at_least():
    setup = setup_of("stand", "random")
    jobs = [Job(MatchKey(1, 1, leg), leg, leg, (0, 1)) for leg in range(1, 20_001)]
    (one,) = decode_matches(play_chunk(setup, encode(jobs), 0.0))
    some = decode_matches(play_chunk(setup, encode(jobs), 0.25))
    assert one.key == jobs[0].key
    assert 1 < len(some) < len(jobs)
    assert [match.key for match in some] == [job.key for job in jobs[: len(some)]]


def test_a_setup_is_read_by_a_worker_as_it_was_written():
    bots = tuple(REGISTRY.resolve_bot(bot) for bot in ("stand(at=16)", "random"))
    setup = Setup("pazaak", "standard(deck=good)", bots, Limits(1, 2, 3))
    assert msgspec.msgpack.decode(setup.to_bytes(), type=Setup) == setup


def test_bots_are_loaded_once_a_setup_and_made_anew_for_every_match(monkeypatch):
    loads, made = [], []

    def load(source):
        loads.append(source.participant.name)
        maker = load_bot(source)
        return lambda: made.append(source.participant.name) or maker()

    monkeypatch.setattr(worker, "open_host", partial(hosts.open_host, load=load))
    worker._host.cache_clear()
    setup = setup_of("stand(at=14)", "random")
    for _ in range(3):
        play_chunk(setup, encode(JOBS))
    assert loads == ["stand(at=14)", "random"]
    assert made.count("stand(at=14)") == made.count("random") == 3 * len(JOBS)
    worker._host.cache_clear()


def test_a_bot_file_that_changed_since_it_was_entered_is_bad_input(tmp_path):
    file = tmp_path / "late.py"
    file.write_text("from arena import Bot\nclass Late(Bot):\n    pass\n")
    late = REGISTRY.resolve_bot(str(file), ["late"])
    setup = Setup("pazaak", "standard", (late, late), Limits()).to_bytes()
    file.write_text("from arena import Bot\nclass Late(Bot):\n    x = 1\n")
    with pytest.raises(BadPlugin, match="has changed since the run began") as raised:
        play_chunk(setup, encode(JOBS))
    assert raised.value.__cause__ is None


def test_an_exit_in_a_constructor_is_a_fault_and_ends_no_worker():
    entered = REGISTRY.resolve_bot(hostile("exit", "init"), ["hostile"])
    setup = Setup("pazaak", "standard", (entered, entered), Limits()).to_bytes()
    with pytest.raises((HarnessFault, BadPlugin)):
        play_chunk(setup, encode(JOBS))
