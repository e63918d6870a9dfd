"""The match loop: a seat that breaks the match loses it with its cause; our own fault is void."""

import msgspec
import pytest

from arena.core.actions import unpack_ids
from arena.core.chance.dealer import Scripted, SeatStreams
from arena.core.errors import HarnessFault
from arena.core.outcome import Termination
from arena.games.pazaak.engine.cards import cards_named
from arena.match.adjudication import Failure
from arena.match.limits import Limits
from arena.match.play import play_match
from arena.match.replay import verify
from arena.match.requests import Seating
from arena.testing.scripted import RandomBot
from tests.broken_game import with_parts
from tests.match.bots import PAZAAK, STANDARD, Answers, against_random, first_legal, play, raising


class Equal:
    def __eq__(self, other) -> bool:
        return True

    __hash__ = None


class MyInt(int):
    pass


def played_to_the_end(record):
    return record.outcome.termination is Termination.RULES


def test_a_match_ends_with_a_record_that_verifies():
    record, used = play(RandomBot(), RandomBot())
    assert played_to_the_end(record)
    assert sorted(record.outcome.returns) == [-1.0, 1.0]
    assert max(record.outcome.scores) == 3
    assert verify(PAZAAK, record) == len(unpack_ids(record.actions))
    assert sum(used.requests) == len(unpack_ids(record.actions)) + 2
    assert used.error == ""


def test_the_same_seeds_give_the_same_record():
    assert play(RandomBot(), RandomBot())[0] == play(RandomBot(), RandomBot())[0]
    assert play(RandomBot(), RandomBot())[0] != play(RandomBot(), RandomBot(), seed=8)[0]


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(
    ("answer", "named"),
    [
        (lambda o: None, "NoneType"),
        (lambda o: 0, "int"),
        (lambda o: True, "bool"),
        (lambda o: MyInt(0), "MyInt"),
        (lambda o: "stand", "str"),
        (lambda o: Equal(), "Equal"),
        (lambda o: PAZAAK.notation.action("play D"), "play D"),
        (lambda o: msgspec.structs.replace(o.legal_actions[0]), "PazaakAction"),
        (lambda o: o.legal_actions, "tuple"),
    ],
)
def test_an_answer_that_is_not_legal_loses_the_match(seat, answer, named):
    record, used = against_random(Answers(answer), seat)
    ending = record.outcome
    assert ending.termination is Termination.ILLEGAL_ACTION
    assert ending.offender == seat
    assert ending.returns == ((-1.0, 1.0) if seat == 0 else (1.0, -1.0))
    assert ending.move == len(unpack_ids(record.actions))
    assert ending.reason.startswith(f"{named} is not one of: end turn, stand")
    assert used.error == ending.reason
    verify(PAZAAK, record)


@pytest.mark.parametrize(
    "error", [ValueError("boom"), SystemExit(3), GeneratorExit(), StopIteration(), MemoryError()]
)
def test_a_bot_that_raises_loses_by_a_crash(error):
    record, used = against_random(Answers(raising(error)))
    ending = record.outcome
    assert (ending.termination, ending.offender) == (Termination.CRASH, 0)
    assert ending.reason == type(error).__name__
    assert "bots.py" in used.error
    assert type(error).__name__ in used.error
    verify(PAZAAK, record)


def test_the_reason_in_the_record_is_free_of_paths_and_messages():
    record, used = against_random(Answers(raising(ValueError("/tmp/secret at 0x7f"))))
    assert b"secret" not in record.to_bytes()
    assert "secret" in used.error


def test_an_interrupt_by_the_user_is_no_seats_loss():
    with pytest.raises(KeyboardInterrupt):
        against_random(Answers(raising(KeyboardInterrupt())))


def test_changing_an_observation_raises_inside_the_bot():
    def cheat(observation):
        observation.rival_total = 99

    record, used = against_random(Answers(cheat))
    assert record.outcome.termination is Termination.CRASH
    assert "immutable" in used.error


@pytest.mark.parametrize("method", ["start", "prepare"])
@pytest.mark.parametrize("seat", [0, 1])
def test_a_crash_before_the_deal_loses_the_match(method, seat):
    bot = Answers(first_legal)
    setattr(bot, method, raising(ValueError("boom")))
    record, used = against_random(bot, seat)
    ending = record.outcome
    assert (ending.termination, ending.offender, ending.move) == (Termination.CRASH, seat, 0)
    assert ending.scores == (0, 0)
    assert len(record.loadouts) == seat
    assert "boom" in used.error
    assert verify(PAZAAK, record) == 0


@pytest.mark.parametrize(
    ("loadout", "reason"),
    [
        (cards_named("+1 +2"), "a side deck has 10 cards, not 2"),
        (7, "a side deck is cards or their names, not int"),
        ("hard hard", "no card 'hard'; the cards are"),
    ],
)
def test_an_illegal_side_deck_loses_the_match(loadout, reason):
    record, _ = against_random(Answers(first_legal, loadout), 1)
    ending = record.outcome
    assert (ending.termination, ending.offender) == (Termination.ILLEGAL_ACTION, 1)
    assert ending.reason.startswith(reason)
    verify(PAZAAK, record)


def test_a_chosen_side_deck_is_played():
    deck = cards_named("D D D D D D D D D D")
    record, _ = against_random(Answers(first_legal, deck))
    assert PAZAAK.loadouts.text(record.loadouts[0]) == " ".join(["D"] * 10)


def stand_to_the_end(loop, request):
    """The record of a match in which everybody stands."""
    try:
        while True:
            request = loop.send((request.legal_actions[1], 1))
    except StopIteration as end:
        return end.value[0]


@pytest.mark.parametrize("seat", [0, 1])
def test_a_seat_with_a_given_side_deck_gets_no_offer(seat):
    deck = PAZAAK.loadouts.accept(STANDARD, "very-hard")
    handed = [None, None]
    handed[seat] = deck
    loop = play_match(PAZAAK, STANDARD, 1, ["a", "b"], Limits(), loadouts=handed)
    first = next(loop)
    second = loop.send((None, 1))
    assert [first.offer is None, second.offer is None] == [seat == 0, seat == 1]
    # What it answers all the same counts for nothing.
    record = stand_to_the_end(loop, loop.send(("novice" if seat else None, 1)))
    assert record.loadouts[seat] == deck
    assert record.loadouts[1 - seat] == PAZAAK.loadouts.accept(STANDARD, None)
    verify(PAZAAK, record)


def test_with_a_fixed_deck_no_seat_gets_an_offer():
    asked = []
    bot = Answers(first_legal, asked.append)
    against_random(bot, ruleset=PAZAAK.ruleset('standard(deck="hard")'))
    assert asked == []


class Ticks:
    """A clock that moves by what the test says, at every second reading."""

    def __init__(self, *elapsed: int) -> None:
        self.elapsed, self.time, self.reading = list(elapsed), 0, 0

    def __call__(self) -> int:
        self.reading += 1
        if self.reading % 2 == 0:
            self.time += self.elapsed.pop(0) if self.elapsed else 0
        return self.time


@pytest.mark.parametrize(("answer", "part"), [("stand", "text"), (1, "id")])
def test_an_answer_by_text_or_id_is_refused_with_the_fix(answer, part):
    record, _ = against_random(Answers(lambda o: answer), 0)
    assert record.outcome.reason.endswith(f"; return the Action itself, not its {part}")
    record, _ = against_random(Answers(lambda o: None), 0)
    assert "return the Action" not in record.outcome.reason


def test_a_decision_over_its_time_loses():
    limits = Limits(decision_ns=100, match_ns=10_000)
    bots = [Answers(first_legal), Answers(first_legal)]
    record, used = play(*bots, limits=limits, now=Ticks(100, 100, 101))
    ending = record.outcome
    assert (ending.termination, ending.move) == (Termination.TIMEOUT, 0)
    assert ending.reason == "over its time: more than 1e-07 s for a decision"
    assert used.nanoseconds[ending.offender] == 201
    verify(PAZAAK, record)


def test_time_is_counted_over_the_whole_match():
    limits = Limits(decision_ns=100, match_ns=250)
    bots = [Answers(first_legal), Answers(first_legal)]
    record, used = play(*bots, limits=limits, now=Ticks(*[100] * 50))
    ending = record.outcome
    assert ending.termination is Termination.TIMEOUT
    assert ending.reason == "over its time: more than 2.5e-07 s for a match"
    assert used.nanoseconds[ending.offender] == 300


def test_starting_is_on_the_clock_too():
    record, _ = play(RandomBot(), RandomBot(), limits=Limits(decision_ns=5), now=Ticks(0, 6))
    ending = record.outcome
    assert (ending.termination, ending.offender) == (Termination.TIMEOUT, 1)


def test_a_legal_action_that_comes_too_late_is_not_played():
    limits = Limits(decision_ns=100)
    bots = [Answers(first_legal), Answers(first_legal)]
    record, _ = play(*bots, limits=limits, now=Ticks(0, 0, 500))
    assert record.actions == b""


def test_too_many_decisions_lose():
    def dawdle(observation):
        return observation.legal_actions[0]

    record, _ = play(Answers(dawdle), Answers(first_legal), limits=Limits(requests=6))
    ending = record.outcome
    assert (ending.termination, ending.offender) == (Termination.TOO_LONG, 0)
    verify(PAZAAK, record)


def test_a_watchdogs_verdict_is_a_timeout():
    loop = play_match(PAZAAK, STANDARD, 1, ["a", "b"], Limits())
    next(loop)
    loop.send((None, 0))
    request = loop.send((None, 0))
    with pytest.raises(StopIteration) as end:
        loop.send((Failure(Termination.TIMEOUT, "over its time", "trace"), 5))
    record, used = end.value.value
    assert record.outcome.offender == request.seat
    assert record.outcome.termination is Termination.TIMEOUT
    assert used.error == "trace"


def test_the_loop_makes_offers_seat_by_seat_before_the_deal():
    loop = play_match(PAZAAK, STANDARD, 1, ["a", "b"], Limits())
    first = next(loop)
    second = loop.send((None, 0))
    assert [type(first), first.seat, second.seat] == [Seating, 0, 1]
    assert first.offer.seat == 0
    assert loop.send((None, 0)).legal_actions


def test_closing_the_loop_early_is_quiet():
    loop = play_match(PAZAAK, STANDARD, 1, ["a", "b"], Limits())
    next(loop)
    loop.close()


def test_bots_receive_the_outcome_and_cannot_change_it():
    watcher = Answers(first_legal)
    sulker = Answers(first_legal)
    sulker.finish = raising(ValueError("no!"))
    record, _ = play(sulker, watcher)
    assert played_to_the_end(record)
    assert watcher.finished == record.outcome


def test_a_fault_of_the_game_is_a_harness_fault():
    class Faulty(type(PAZAAK)):
        def new_state(self, ruleset, loadouts, dealer=None):
            raise ZeroDivisionError("oops")

    loop = play_match(Faulty(), STANDARD, 1, ["a", "b"], Limits())
    next(loop)
    loop.send((None, 0))
    with pytest.raises(HarnessFault, match="pazaak failed: ZeroDivisionError: oops"):
        loop.send((None, 0))


@pytest.mark.parametrize("accepted", ["cards", bytearray(b"cards"), None])
def test_a_loadout_that_is_no_bytes_is_a_fault_of_the_game(accepted):
    """No record could be read again; the compiled loop says the same."""

    faulty = with_parts(type(PAZAAK), loadouts_accept=lambda self, ruleset, answer: accepted)
    loop = play_match(faulty(), STANDARD, 1, ["a", "b"], Limits())
    kind = "None" if accepted is None else type(accepted).__name__  # interpreted: NoneType
    next(loop)
    with pytest.raises(HarnessFault, match=f"pazaak failed: .*bytes object expected; got {kind}"):
        [loop.send((None, 0)) for _ in range(2)]


def test_an_empty_script_of_the_dealer_is_a_harness_fault():
    loop = play_match(PAZAAK, STANDARD, 1, ["a", "b"], Limits(), Scripted([]))
    next(loop)
    loop.send((None, 0))
    with pytest.raises(HarnessFault, match="script is used up"):
        loop.send((None, 0))


def test_a_chance_node_left_open_is_a_harness_fault():
    class Forgetful(type(PAZAAK)):
        def new_state(self, ruleset, loadouts, dealer=None):
            return super().new_state(ruleset, loadouts)

    loop = play_match(Forgetful(), STANDARD, 1, ["a", "b"], Limits(), SeatStreams(1))
    next(loop)
    loop.send((None, 0))
    with pytest.raises(HarnessFault, match="chance node unanswered"):
        loop.send((None, 0))
