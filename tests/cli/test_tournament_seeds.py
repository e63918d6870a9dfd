"""A tournament's key is a secret until it is finished; an open seed is shown as open."""

from __future__ import annotations

import json
import signal
from hashlib import sha256

import pytest
from arena_results.file.database import open_database
from arena_results.schema.rows import Status
from arena_results.store.queries import tournament

from arena.core.chance.seeding import SeedOrigin, SeedSource, private_seeds
from tests.cli.tournament_runs import PATIENCE, Place, kill_group, until, without_progress

PAIR = ("--bot", "slow.py", "--bot", "random")
RUN = ("tournament", "run", *PAIR, "--concurrency", "1")
OPEN = "warning: slow: a bot can find an open seed by trying, and every card with it; "
GIVEN = "warning: slow: an author who knows the given key knows every card; "
KEY = "000102030405060708090a0b0c0d0e0f"


@pytest.fixture
def place(tmp_path, preloaded):
    return Place(tmp_path, preloaded)


def stored(place, number=1):
    with open_database(place.url, create=False) as database:
        return tournament(database, number)


def deals(place, number=1):
    return [match.record.seed for match in place.played(number)]


def records(place, number=1):
    return [match.record.to_bytes() for match in place.played(number)]


def shown(place, number=1):
    """The output of all commands on a tournament, as one text."""
    ways = [(), ("-o", "json"), ("-o", "csv")]
    words = [("list",), ("show", str(number)), ("show", str(number), "--details")]
    answers = [place.arena("tournament", *verb, *way) for verb in words for way in ways]
    answers += [place.arena("replay", str(number), *way) for way in ways[:2]]
    assert {answer.code for answer in answers} == {0}
    return "".join(answer.out + answer.err for answer in answers)


def test_the_key_of_a_drawn_tournament_is_secret_until_it_is_finished(place):
    process = place.start(*RUN, "--games", "200", "--trust", "slow")
    until(lambda: place.stored() >= 10)
    kill_group(process.pid, signal.SIGKILL)
    seen = "".join(process.communicate(timeout=PATIENCE)) + shown(place)
    assert stored(place).summary.status is Status.INTERRUPTED
    key, seeds = stored(place).summary.key, deals(place)
    assert "drawn key" in seen
    commitment, nonce = stored(place).summary.commitment, stored(place).summary.nonce
    assert f'"commitment": "{commitment}"' in seen
    assert f"Commitment:     {commitment}\n" in seen
    assert key not in seen
    assert nonce not in seen
    assert not [seed for seed in seeds if str(seed) in seen]

    answer = place.arena("tournament", "resume", "1", "--details", "-o", "json")
    assert answer.document["tournament"]["key"] == key
    assert answer.document["tournament"]["seed"] is None
    assert answer.document["tournament"]["open"] is False
    assert answer.document["tournament"]["nonce"] == nonce
    assert answer.document["tournament"]["commitment"] == commitment
    assert sha256(bytes.fromhex(key + nonce)).hexdigest() == commitment
    assert f"  {commitment}\n" in answer.err
    assert key not in answer.err
    assert f"drawn key {key}" in shown(place)
    assert f"Key:            {key}\nNonce:          {nonce}\n" in shown(place)
    assert f"seed {seeds[0]}" in shown(place)


def test_every_tournament_draws_a_key_of_its_own(place):
    for _ in range(2):
        assert place.arena(*RUN, "--games", "2", "--trust", "slow").code == 0
    first, second = (stored(place, number).summary for number in (1, 2))
    assert first.key != second.key
    assert first.nonce != second.nonce
    assert (first.seed_origin, first.seed) == (SeedOrigin.DRAWN_KEY, None)
    assert not set(deals(place, 1)) & set(deals(place, 2))


def test_a_finished_tournament_is_dealt_again_by_its_key(place):
    words = (*RUN, "--games", "4", "--trust", "slow", "-o", "json")
    drawn = place.arena(*words).document["tournament"]
    key, chain = drawn["key"], drawn["chain"]
    (place.folder / "again.toml").write_text(f'key = "{key.upper()}"\n')
    for again in (place.arena(*words, "--key", key), place.arena(*words, "again.toml")):
        assert again.code == 0
        assert "games a pairing; given key\n" in again.err
        facts = again.document["tournament"]
        assert (facts["seed"], facts["key"], facts["open"]) == (None, key, True)
        assert (facts["commitment"], facts["nonce"]) == (None, None)
        assert facts["chain"] == chain
        assert records(place, facts["id"]) == records(place)
    assert f"given key {key}\n" in place.arena("tournament", "show", "2").out


def test_an_open_seed_is_named_open_and_repeats(place):
    words = (*RUN, "--games", "4", "--trust", "slow", "--seed", "7")
    first, again = place.arena(*words, "-o", "json"), place.arena(*words)
    assert without_progress(first.err).endswith("games a pairing; open seed 7\n")
    facts = first.document["tournament"]
    assert (facts["seed"], facts["key"], facts["open"]) == (7, None, True)
    assert "4 games a pairing, open seed 7\n" in again.out
    assert "open seed 7" in place.arena("tournament", "list").out
    rows = json.loads(place.arena("tournament", "list", "-o", "json").out)
    assert [(row["seed"], row["key"], row["open"]) for row in rows] == [(7, None, True)] * 2
    assert records(place, 2) == records(place)


@pytest.mark.parametrize(
    ("words", "warning"),
    [
        (("--seed", "7"), OPEN + "leave the seed out to draw a secret key"),
        (("--key", KEY), GIVEN + "leave the key out to draw a secret one"),
        ((), None),
        (("--seed", "7", "--trust", "slow"), None),
        (("--key", KEY, "--trust", "slow"), None),
    ],
)
@pytest.mark.thorough("other ways to say the same", everyday=["words0-*", "words2-*"])
def test_open_deals_with_untrusted_bots_are_warned_of(place, words, warning):
    answer = place.arena(*RUN, "--games", "2", *words)
    assert answer.code == 0
    lines = [line for line in answer.err.splitlines() if line.startswith("warning:")]
    assert lines == ([warning] if warning else [])


def test_house_bots_in_processes_of_their_own_are_no_reason_to_warn(place):
    words = ("--bot", "stand", "--bot", "random", "--confine-house", "--seed", "7")
    answer = place.arena("tournament", "run", "--games", "2", *words)
    assert answer.code == 0
    assert "warning" not in answer.err


def test_a_key_on_the_command_line_overrules_a_seed_of_the_file(place):
    (place.folder / "cup.toml").write_text("seed = 7\n")
    answer = place.arena(*RUN, "--games", "2", "--trust", "slow", "cup.toml", "--key", KEY)
    assert (answer.code, stored(place).summary.key) == (0, KEY)


def test_a_seed_and_a_key_do_not_go_together(place):
    answer = place.arena(*RUN, "--seed", "7", "--key", KEY)
    assert answer.code == 2
    assert "--key: cannot be combined with --seed; give one of them" in answer.err
    assert place.stored() == 0


@pytest.mark.parametrize("seed", ["7", "8"])
def test_private_seeds_do_not_depend_on_an_open_seed(place, seed):
    answer = place.arena(*RUN, "--games", "4", "--trust", "slow", "--seed", seed)
    assert answer.code == 0
    keys = SeedSource(SeedOrigin.OPEN_SEED, 0).keys()
    legs = ((1, 0), (2, 1), (3, 0), (4, 1))
    expected = [private_seeds(keys.private(1, 1, leg), 2)[seat] for leg, seat in legs]
    assert place.log.read_text().split() == list(map(str, expected))
