"""A stored field is compared with its spec, and with the files of submitted bots."""

from __future__ import annotations

import pytest
from arena_results.bots.submissions import NewSubmission, add
from arena_results.file.database import open_database
from arena_results.schema.tables import Submission
from sqlalchemy import update

from arena.core.errors import BadStore, Divergence
from arena.core.tournaments.format import Participant
from arena.plugins.hashing import named_content
from arena.plugins.registry import Registry
from arena.plugins.submissions.archives import packed
from arena.service.setup.stored_field import check_field

FILES = {"careful.py": b"class Careful: ..."}
CONTENT = named_content(FILES)
CAREFUL = Participant("careful", "1.0", CONTENT)


@pytest.fixture
def database(tmp_path):
    with open_database(f"sqlite:///{tmp_path}/arena.db") as database:
        new = NewSubmission(
            name="careful", version="1.0", content=CONTENT, games=("pazaak",), language="python",
            target="careful:Careful", deterministic=True,
        )  # fmt: skip
        add(database, new, packed(FILES))
        yield database


def check(database, spelled, *field):
    check_field(Registry(), database, spelled, field)


@pytest.mark.parametrize(
    ("spelling", "name"),
    [
        ("careful@1.0", "careful"),
        ("careful@1.0", "careful@1.0"),
        ("careful@1.0(at=3) with +1 -2", "careful(at=3) with +1 -2"),
        ("careful @ 1.0 ( at = 3 )", "careful@1.0(at=3)"),
        ("bots/of-ann/careful.py:Careful", "careful:Careful"),
        ("bots/of-ann/careful.py(at=3) with hard", "careful(at=3) with hard"),
        ("folders/of-ann", "careful"),
        ("careful-1.0-py3-none-any.whl", "careful"),
    ],
)
def test_the_bots_of_the_spec_are_the_field(database, spelling, name):
    check(database, [spelling], Participant(name, "1.0", CONTENT))


@pytest.mark.parametrize(
    ("spelling", "name"),
    [
        ("random", "careful"),
        ("careful@1.0(at=3)", "careful(at=4)"),
        ("careful@1.0", "careful(at=3)"),
        ("careful@1.1", "careful"),
        ("careful@1.0 with hard", "careful"),
        ("bots/of-ann/careless.py", "careful"),
        ("careful.py:Other", "careful:Careful"),
    ],
)
def test_another_bot_than_the_specs_is_named(database, spelling, name):
    with pytest.raises(Divergence, match=r"^its spec names bot .*, its field has careful"):
        check(database, [spelling], Participant(name, "1.0", CONTENT))


def test_a_bot_too_many_and_a_spelling_that_cannot_be_read_are_named(database):
    with pytest.raises(Divergence, match="names 2 bots, and its field has 1"):
        check(database, ["careful@1.0", "random"], CAREFUL)
    with pytest.raises(Divergence, match="its spec names a bot that cannot be read: "):
        check(database, ["careful@1.0(at"], CAREFUL)


def test_other_content_than_was_entered_is_named(database):
    entered = Participant("careful", "1.0", "0" * 64)
    with pytest.raises(Divergence, match=r"the stored bot careful@1\.0 is not careful@1\.0"):
        check(database, ["careful@1.0"], entered)
    check(database, ["careful.py"], entered)  # a file of that name is not the submitted bot


def test_files_that_are_not_what_was_submitted_are_named(database):
    with database.writing() as connection:
        connection.execute(update(Submission).values(archive=packed({"careful.py": b"other"})))
    with pytest.raises(
        BadStore, match=r"the files of bot careful@1\.0 .* differ from those submit"
    ):
        check(database, ["careful@1.0"], CAREFUL)
