"""Tokens of authors and their logins: shown once, stored as digests, accepted until revoked."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from hashlib import sha256

import pytest
from arena_results.bots.authors import (
    SESSION,
    author_of,
    log_in,
    log_out,
    logged_in,
    new_token,
    revoke,
    tokens,
)

from arena.core.errors import BadInput, UnknownName

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
LATER = NOW + timedelta(hours=1)


def test_a_token_has_32_random_bytes_and_only_its_digest_is_stored(database):
    secret, other = (new_token(database, "Ann", NOW) for _ in range(2))
    assert re.fullmatch(r"arena_[A-Za-z0-9_-]{43}", secret)
    assert secret != other
    with database.reading() as connection:
        rows = connection.exec_driver_sql("SELECT * FROM token").mappings().all()
    assert [row["digest"] for row in rows] == [
        sha256(each.encode()).digest() for each in (secret, other)
    ]
    assert all(secret not in str(value) for row in rows for value in row.values())
    assert tokens(database)[0].start == secret[6:14]


def test_the_token_of_an_organiser_says_so_and_an_authors_never_can(database):
    secret, other = new_token(database, "Olga", NOW, organises=True), new_token(database, "A", NOW)
    assert re.fullmatch(r"arena_organiser\.[A-Za-z0-9_-]{43}", secret)
    assert [each.organises for each in tokens(database)] == [True, False]
    assert author_of(database, secret, LATER).organises
    assert author_of(database, secret.replace("organiser.", ""), LATER) is None
    assert author_of(database, other.replace("arena_", "arena_organiser."), LATER) is None
    assert [each.author for each in revoke(database, secret[:24], LATER)] == ["Olga"]


def test_it_is_accepted_until_it_is_revoked_and_no_other_text_is(database):
    secret = new_token(database, "  Ann   Author ", NOW)
    found = author_of(database, secret, LATER)
    assert found is not None
    assert (found.author, found.used_at) == ("Ann Author", LATER)
    assert tokens(database)[0].used_at == LATER
    for wrong in ("", secret[:-1], secret + "=", secret.removeprefix("arena_"), secret.upper()):
        assert author_of(database, wrong, LATER) is None
    assert [each.start for each in revoke(database, secret[:14], LATER)] == [secret[6:14]]
    assert author_of(database, secret, LATER) is None
    assert revoke(database, secret, LATER) == ()


def test_all_tokens_of_an_author_are_revoked_by_the_name_and_no_others(database):
    mine = [new_token(database, "Ann", NOW) for _ in range(2)]
    other = new_token(database, "Bob", NOW)
    assert len(revoke(database, "Ann", NOW)) == 2
    assert [author_of(database, each, NOW) for each in mine] == [None, None]
    assert author_of(database, other, NOW) is not None
    with pytest.raises(UnknownName, match=rf"unknown token 'Cid'; choices: {other[:14]}"):
        revoke(database, "Cid", NOW)


def test_a_login_lasts_two_weeks_unless_it_ends_before(database):
    secret = new_token(database, "Ann", NOW)
    token = author_of(database, secret, NOW)
    one, two, three = (log_in(database, token, NOW) for _ in range(3))
    last = NOW + SESSION - timedelta(seconds=1)
    assert logged_in(database, one, last).author == "Ann"
    assert logged_in(database, one, NOW + SESSION) is None
    assert logged_in(database, secret, NOW) is None
    log_out(database, two)
    assert logged_in(database, two, NOW) is None
    revoke(database, "Ann", NOW)
    assert logged_in(database, three, NOW) is None


def test_logins_that_are_over_are_forgotten(database):
    token = author_of(database, new_token(database, "Ann", NOW), NOW)
    log_in(database, token, NOW)
    log_in(database, token, NOW + SESSION)
    with database.reading() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM session").scalar() == 1


@pytest.mark.parametrize("author", ["", "  ", "a" * 81, "a\u202eb", "a\x00"])
def test_an_author_has_a_name_that_can_be_shown(database, author):
    with pytest.raises(BadInput, match="1 to 80 characters that can be shown"):
        new_token(database, author, NOW)
    assert tokens(database) == ()
