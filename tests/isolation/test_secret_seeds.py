"""A bot that tries the tournament's seeds finds an open one by its cards, and no key."""

from __future__ import annotations

import shutil
from itertools import product

import pytest
from arena_bots.pazaak.stand_at import StandAt
from arena_results.file.database import open_database
from arena_results.store.queries import matches, summary

from arena.core.chance.seeding import SeedKeys, SeedOrigin, SeedSource
from arena.core.tournaments.format import Pairing, Round
from arena.games.pazaak.game import Pazaak
from arena.host.bot.inline import play_inline
from arena.match.limits import Limits
from arena.plugins.loading import load_bot
from arena.plugins.registry import Registry
from tests.isolation.tournaments import BY_AN_ORDINARY_USER, HERE
from tests.isolation.users import arena
from tests.tournaments.plays import jobs_of_round

FILE = HERE / "guessing" / "guesses_seeds.py"
WAYS = ("private seed", "cards")
KEY = "00000000000000000000000000000007"
OPEN, GIVEN, DRAWN = ("--seed", "7"), ("--key", KEY), ()
GAMES = 4


def errors(keys, by):
    """The errors of the bot in process, in matches whose seeds come from these keys."""
    game = Pazaak()
    attack = load_bot(Registry().resolve_bot(f"{FILE}(by='{by}')", ["guesses_seeds"]))
    raised = []
    for job in jobs_of_round(Round(1, (Pairing((0, 1)),)), keys, GAMES):
        makers = [(attack, StandAt)[who] for who in job.seats]
        _, used = play_inline(
            game, game.ruleset(), job.seed, job.bot_seed, makers, ("a", "b"), Limits()
        )
        raised.append(used.error)
    return raised


@pytest.mark.parametrize("by", WAYS)
def test_where_deals_and_seeds_have_one_source_both_attacks_succeed(by):
    seed = (7).to_bytes(8, "little")
    assert [error for error in errors(SeedKeys(seed, seed), by) if "GOT: seed" in error]


@BY_AN_ORDINARY_USER
@pytest.mark.parametrize("options", [OPEN, GIVEN, DRAWN], ids=["open", "given", "drawn"])
def test_private_seeds_reveal_nothing_and_cards_reveal_an_open_seed_alone(
    ground, user_of, kind, options
):
    folder, user = ground / f"guessing-{kind}-{''.join(options)}", user_of(kind)
    folder.mkdir()
    shutil.copy(FILE, folder)
    if user.name:
        shutil.chown(folder, user.name)
    url = f"sqlite:///{folder / 'arena.db'}"
    words = [word for by in WAYS for word in ("--bot", f"guesses_seeds.py(by='{by}')")]
    ended = arena(
        user, folder, "tournament", "run", "--bot", "stand(at=17)", *words, "--games", str(GAMES),
        "--isolation", "confined", "--require", "confined", "--db", url, *options,
    )  # fmt: skip
    assert ended.code == 0, ended.err[-4000:]
    with open_database(url, create=False) as database:
        found = [each for _, each in matches(database, 1)]
        assert summary(database, 1).seeds.open is bool(options)
    raised = "\n".join(match.measurement.error for match in found)
    assert "by the private seed" not in raised
    assert ("GOT: seed 7 by its cards" in raised) == (options == OPEN)
    if options != OPEN:
        assert raised.strip() == ""
    assert ended.err.count("warning: guesses_seeds") == bool(options)


def test_the_private_seeds_of_all_open_seeds_are_the_same():
    """Also for whoever knows the derivation: nothing of the seed goes into them."""
    round = Round(3, (Pairing((0, 1)), Pairing((2, 3))))
    schedules = [
        jobs_of_round(round, SeedSource(SeedOrigin.OPEN_SEED, seed).keys(), GAMES)
        for seed in (0, 7, 2**53 - 1)
    ]
    private = [[job.bot_seed for job in jobs] for jobs in schedules]
    assert private[0] == private[1] == private[2]
    deals = [{job.seed for job in jobs} for jobs in schedules]
    assert not any(one & other for one, other in product(deals, deals) if one is not other)
