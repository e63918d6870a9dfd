"""Older schemas: refused with the command to run, upgraded with a copy of before."""

from __future__ import annotations

import shutil

import pytest
from arena_results.file import database as module
from arena_results.file.database import HEAD, SCRIPTS, open_database, upgrade_database
from arena_results.store.queries import tournaments
from sqlalchemy import text

from arena.core.errors import BadStore
from tests.results.database_files import schema

pytestmark = pytest.mark.on_files

NEXT = f"{int(HEAD) + 1:04}"
NEXT_MIGRATION = """
import sqlalchemy as sa
from alembic import op

revision = "{next}"
down_revision = "{head}"
branch_labels = depends_on = None


def upgrade():
    with op.batch_alter_table("tournament") as batch:
        batch.add_column(sa.Column("motto", sa.String(), server_default="onward"))
    op.execute("{statement}")
"""


@pytest.fixture
def next_version(tmp_path, monkeypatch):
    """Makes the program one migration newer than the files it has written so far."""

    def install(statement: str) -> None:
        scripts = tmp_path / "migrations"
        shutil.copytree(SCRIPTS, scripts, ignore=shutil.ignore_patterns("__pycache__"))
        text = NEXT_MIGRATION.format(statement=statement, next=NEXT, head=HEAD)
        (scripts / "versions" / f"{NEXT}_next.py").write_text(text)
        monkeypatch.setattr(module, "SCRIPTS", scripts)
        monkeypatch.setattr(module, "HEAD", NEXT)

    return install


def test_an_older_schema_is_refused_with_the_upgrade_command(url, run, new, database, next_version):
    run(new(), [])
    before = database.place.path.read_bytes()
    next_version("SELECT 1")
    with pytest.raises(
        BadStore, match=rf"older schema \({HEAD}, .* run: arena db upgrade --db sqlite"
    ):
        open_database(url)
    assert database.place.path.read_bytes() == before


def test_an_upgrade_keeps_everything_and_a_copy_of_before(
    url, run, new, played, database, next_version
):
    run(new(), [played((1, 1, 1), (0, 1), 1)])
    before = tournaments(database)
    next_version("SELECT 1")
    upgraded = upgrade_database(url)
    assert upgrade_database(url) is None
    with open_database(url) as opened:
        assert tournaments(opened) == before
        with opened.reading() as connection:
            assert connection.execute(text("SELECT motto FROM tournament")).scalar() == "onward"
    assert upgraded is not None
    with pytest.raises(BadStore, match="older schema"):
        open_database(f"sqlite:///{upgraded.copy}")


def test_a_failed_upgrade_changes_nothing(url, run, new, database, next_version):
    run(new(), [])
    before = schema(database.place.path)
    next_version("DROP TABLE no_such_table")
    for _ in range(2):
        with pytest.raises(BadStore, match="failed: no such table"):
            upgrade_database(url)
    assert schema(database.place.path) == before
    assert len(list(database.place.path.parent.glob("*.backup"))) == 2
