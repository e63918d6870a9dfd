"""The journal of questions to endpoints: kept before it is used, found again after any end."""

from __future__ import annotations

import subprocess
import sys
from contextlib import contextmanager
from hashlib import sha256
from zlib import compress

import pytest
import trio
from arena_results.file.database import open_database
from arena_results.schema.rows import EntryRow
from arena_results.store import exchanges as module
from arena_results.store.exchange_sums import (
    ExchangeSums,
    board_sums,
    exchange_sums,
    match_costs,
    spent,
)
from arena_results.store.exchanges import ExchangeJournal, exchanges, purge_exchanges
from arena_results.store.organising import delete_tournament
from arena_results.store.queries import tournament
from arena_results.store.replacing import replace_matches
from arena_results.store.store import Store
from sqlalchemy import event, text

from arena.core.errors import BadStore, StoreLocked
from arena.core.record import MatchKey
from arena.core.tournaments.format import Pairing, Round
from arena.host.endpoints.exchange import Answer, Exchange, Question, Usage

ONE, OTHER = MatchKey(1, 1, 1), MatchKey(1, 1, 2)


@pytest.fixture
async def cup(database, new, field):
    store = Store(database)
    number = await store.create_tournament(new(), [EntryRow(each, 1500.0) for each in field])
    await store.save_round(number, Round(1, (Pairing((0, 1)), Pairing((3, 2)))))
    return number


def asked(match=ONE, decision=1, attempt=1, body=b"which?", seat=0):
    return Question(match, seat, decision, attempt, sha256(body).digest())


def exchange(question, body=b"which?", answer=b'{"stand": 1}', **changes):
    values = {
        "question": question,
        "entrant": 0,
        "asked": body,
        "answer": Answer(200, answer, 0.25),
        "usage": Usage(100, 80, 7),
        "reading": "legal",
        "cost": 0.001234,
        "finish": "stop",
        "action": "stand",
    }
    return Exchange(**(values | changes))


async def test_a_kept_answer_is_found_by_all_of_its_question(database, cup):
    journal = ExchangeJournal(database, cup)
    assert journal.find(asked()) is None
    await journal.keep(exchange(asked()))
    for kept in (journal, ExchangeJournal(database, cup)):
        assert kept.find(asked()) == Answer(200, b'{"stand": 1}', 0.25)
        for other in (
            *(asked(OTHER), asked(decision=2), asked(attempt=2), asked(seat=1)),
            *(asked(decision=0), asked(body=b"another prompt")),
        ):
            assert kept.find(other) is None


async def test_exchanges_are_read_as_they_were_kept_in_schedule_order(database, cup):
    journal = ExchangeJournal(database, cup)
    unknown = {"usage": Usage(), "cost": None, "reading": "illegal", "played_for": True}
    kept = [
        exchange(asked(decision=0)),
        exchange(asked(attempt=1), action="", **unknown),
        exchange(asked(attempt=2)),
        exchange(asked(OTHER, seat=1), entrant=1, answer="é 😀".encode()),
    ]
    for each in reversed(kept):
        await journal.keep(each)
    assert [each.exchange for each in exchanges(database, cup)] == kept
    assert [each.exchange for each in exchanges(database, cup, (1, 1, 2))] == kept[-1:]


async def test_answers_that_come_together_share_transactions(database, cup):
    journal, commits = ExchangeJournal(database, cup), []
    event.listen(database._engine, "commit", commits.append)
    async with trio.open_nursery() as nursery:
        for decision in range(1, 101):
            nursery.start_soon(journal.keep, exchange(asked(decision=decision)))
    assert len(commits) <= 3
    assert [each.exchange.question.decision for each in exchanges(database, cup)] == [
        *range(1, 101)
    ]


async def test_an_answer_that_arrived_is_kept_when_the_run_is_cancelled(database, cup):
    journal = ExchangeJournal(database, cup)
    with trio.CancelScope() as scope:
        scope.cancel()
        await journal.keep(exchange(asked()))
    assert ExchangeJournal(database, cup).find(asked())


async def test_matches_and_answers_are_written_beside_each_other(database, cup, played):
    journal, sink = ExchangeJournal(database, cup), Store(database).sink(cup)

    async def play(leg):
        for decision in range(1, 6):
            await journal.keep(exchange(asked(MatchKey(1, 1, leg), decision)))
        await sink.write([played((1, 1, leg), (0, 1), 1)])

    async with trio.open_nursery() as nursery:
        for leg in range(1, 21):
            nursery.start_soon(play, leg)
    assert len(tournament(database, cup).played) == 20
    assert sum(1 for _ in exchanges(database, cup)) == 100


async def test_a_failed_write_is_everyones_error(database, cup):
    journal = ExchangeJournal(database, cup)
    database.close()
    failed = []

    async def keep(decision):
        with pytest.raises(BadStore):
            await journal.keep(exchange(asked(decision=decision)))
        failed.append(decision)

    async with trio.open_nursery() as nursery:
        for decision in (1, 2, 3):
            nursery.start_soon(keep, decision)
    assert sorted(failed) == [1, 2, 3]


ASK_FOREVER = """
import sys, trio
from itertools import count
from arena.core.record import MatchKey
from arena.host.endpoints.exchange import Answer, Exchange, Question, Usage
from arena_results.file.database import open_database
from arena_results.store.exchange_sums import (
    ExchangeSums,
    board_sums,
    exchange_sums,
    match_costs,
    spent,
)
from arena_results.store.exchanges import ExchangeJournal

async def main(url, id):
    with open_database(url) as database:
        journal = ExchangeJournal(database, int(id))
        async def ask(leg):
            for decision in count(1):
                question = Question(MatchKey(1, 1, leg), 0, decision, 1, b"digest")
                if journal.find(question) is None:
                    await journal.keep(Exchange(
                        question=question, entrant=0, asked=b"?", answer=Answer(200, b"!", 0.1),
                        usage=Usage(), reading="legal"))
                    print(leg, decision, flush=True)
        async with trio.open_nursery() as nursery:
            for leg in range(1, 9):
                nursery.start_soon(ask, leg)

trio.run(main, *sys.argv[1:])
"""


async def test_a_kept_answer_survives_kill_9(database, url, cup):
    process = subprocess.Popen(
        [sys.executable, "-c", ASK_FOREVER, url, str(cup)], stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    with process.stdout as lines:
        confirmed = [lines.readline() for _ in range(50)]
        process.kill()
        confirmed += [line for line in lines if line.endswith(b"\n")]
    process.wait()
    with open_database(url) as reopened:
        journal = ExchangeJournal(reopened, cup)
        for line in confirmed:
            leg, decision = map(int, line.split())
            assert journal.find(Question(MatchKey(1, 1, leg), 0, decision, 1, b"digest"))


async def test_the_answers_of_a_replaced_match_are_found_no_more_and_stay(database, cup, played):
    journal, sink = ExchangeJournal(database, cup), Store(database).sink(cup)
    for match in (ONE, OTHER):
        await journal.keep(exchange(asked(match)))
    await sink.write([played((1, 1, 1), (0, 1), 1), played((1, 1, 2), (0, 1), 1)])
    replace_matches(database, cup, [ONE], [], [], 1)
    journal = ExchangeJournal(database, cup)
    assert journal.find(asked(ONE)) is None
    assert [(each.exchange.question.match, each.replaced) for each in exchanges(database, cup)] == [
        (ONE, 1),
        (OTHER, 0),
    ]
    await journal.keep(exchange(asked(ONE)))
    assert journal.find(asked(ONE))
    replace_matches(database, cup, [ONE], [], [], 1)
    assert [each.replaced for each in exchanges(database, cup, (1, 1, 1))] == [1, 2]


async def test_a_purge_keeps_the_numbers_and_what_is_still_to_be_played(database, cup, played):
    journal, sink = ExchangeJournal(database, cup), Store(database).sink(cup)
    for match in (ONE, OTHER):
        await journal.keep(exchange(asked(match)))
    await sink.write([played((1, 1, 1), (0, 1), 1)])
    assert [purge_exchanges(database, cup), purge_exchanges(database, cup)] == [1, 0]
    (gone,), (there,) = (list(exchanges(database, cup, key)) for key in ((1, 1, 1), (1, 1, 2)))
    assert (gone.exchange.asked, gone.exchange.answer.body) == (b"", b"")
    assert (gone.exchange.usage, gone.exchange.cost) == (Usage(100, 80, 7), 0.001234)
    assert there.exchange == exchange(asked(OTHER))
    assert ExchangeJournal(database, cup).find(asked(OTHER))


async def test_questions_of_a_bot_are_kept_up_to_a_size_and_answers_always(
    database, cup, monkeypatch
):
    monkeypatch.setattr(module, "MAX_QUESTION_BYTES", 2 * len(compress(b"?" * 500)))
    for decision in (1, 2):  # each in a journal of its own
        await ExchangeJournal(database, cup).keep(exchange(asked(decision=decision), b"?" * 500))
    journal = ExchangeJournal(database, cup)
    for entrant, decision in ((0, 3), (0, 4), (1, 5)):
        await journal.keep(
            exchange(asked(decision=decision, seat=entrant), b"?" * 500, entrant=entrant)
        )
    kept = [each.exchange for each in exchanges(database, cup)]
    assert [len(each.asked) for each in kept][-3:] == [0, 0, 500]
    assert all(each.answer.body for each in kept)


async def test_a_deleted_tournament_has_no_exchanges(database, cup):
    await ExchangeJournal(database, cup).keep(exchange(asked()))
    delete_tournament(database, cup)
    assert not [*exchanges(database, cup)]


async def test_a_damaged_text_is_one_line(database, cup):
    await ExchangeJournal(database, cup).keep(exchange(asked()))
    with database.writing(cup) as connection:
        connection.execute(text("UPDATE exchange SET answer = substr(asked, 2)"))
    with pytest.raises(BadStore, match="the text of a transcript is damaged"):
        [*exchanges(database, cup)]


async def test_a_damaged_answer_is_asked_again_and_replaced(database, cup):
    await ExchangeJournal(database, cup).keep(exchange(asked()))
    with database.writing(cup) as connection:
        connection.execute(text("UPDATE exchange SET answer = substr(asked, 2)"))
    lines: list[str] = []
    journal = ExchangeJournal(database, cup, lines.append)
    assert journal.find(asked()) is None
    assert lines == [f"match {cup}.1.1.1: a stored answer is damaged, and asked again"]
    await journal.keep(exchange(asked()))
    assert journal.find(asked())


async def test_an_answer_waits_for_a_database_that_is_locked(database, cup, monkeypatch):
    """Longer than a statement waits; and not for ever."""
    lines: list[str] = []
    journal, tried, writing = ExchangeJournal(database, cup, lines.append), [], database.writing
    locked = 2

    @contextmanager
    def locking(tournament):
        tried.append(tournament)
        if len(tried) <= locked:
            raise StoreLocked("the database is locked by process 7")
        with writing(tournament) as connection:
            yield connection

    monkeypatch.setattr(database, "writing", locking)
    await journal.keep(exchange(asked()))
    assert (len(tried), journal.find(asked()) is None) == (3, False)
    assert {*lines} == {
        "the database is locked by process 7; answers wait until they can be stored"
    }
    locked = 1000
    with pytest.raises(StoreLocked):
        await journal.keep(exchange(asked(decision=2)))
    assert len(tried) == 3 + module.LOCKED_TRIES


async def test_the_sums_of_endpoints_are_over_stored_matches(database, cup, field, played):
    journal, sink = ExchangeJournal(database, cup), Store(database).sink(cup)
    illegal = {"reading": "illegal", "action": ""}
    for each in (
        exchange(asked(decision=0)),
        exchange(asked(decision=1, attempt=1), **illegal),
        exchange(asked(decision=1, attempt=2), played_for=True, **illegal | {"reading": "cut"}),
        exchange(asked(decision=2)),
        *(
            exchange(asked(decision=2, body=body), reading="unanswered", usage=Usage(), cost=0.25)
            for body in (b"once", b"twice")
        ),
        exchange(asked(OTHER), cost=0.5),
        exchange(asked(seat=1), entrant=1, usage=Usage(100), cost=None),
        exchange(asked(MatchKey(1, 1, 3)), cost=2.0),
    ):
        await journal.keep(each)
    assert exchange_sums(database, cup) == {}
    await sink.write([played((1, 1, leg), (0, 1), 1) for leg in (1, 2)])
    found = exchange_sums(database, cup)
    ann, bob = (found[each.key] for each in field[:2])
    assert ann == ExchangeSums(
        matches=2,
        decisions=3,
        calls=5,
        illegal=2,
        refused=0,
        too_long=0,
        cut=1,
        empty=0,
        unanswered=2,
        played_for=1,
        prompt_tokens=500,
        cached_tokens=400,
        completion_tokens=35,
        seconds=1.75,
        cost=4 * 0.001234 + 0.5 + 2 * 0.25,
    )
    assert (ann.share(ann.illegal), ann.tokens_per_match, ann.seconds_per_match) == (
        *(0.4, 267.5, 0.875),
    )
    assert (bob.calls, bob.prompt_tokens, bob.completion_tokens, bob.cost) == (1, 100, None, None)
    assert (bob.tokens_per_match, bob.cost_per_match) == (None, None)
    assert board_sums(database, "dice", "standard") == found
    assert board_sums(database, "dice", "another") == {}
    assert spent(database, cup) == pytest.approx(3.004936)
    assert match_costs(database, cup) == {(0, 0, 0): 0.504936, (1, 1, 3): 2.0}
    replace_matches(database, cup, [OTHER], [], [], 1)
    assert exchange_sums(database, cup)[field[0].key].matches == 1
    assert spent(database, cup) == pytest.approx(3.004936)
