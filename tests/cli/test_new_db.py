"""``arena new bot``, ``arena new game`` and ``arena db upgrade``."""

from __future__ import annotations

import shutil

from arena_results.file import database as module
from arena_results.file.database import HEAD
from arena_results.store.queries import tournaments

NEXT = f"{int(HEAD) + 1:04}"
MIGRATION = f'''
"""A later schema."""

import sqlalchemy as sa
from alembic import op

revision = "{NEXT}"
down_revision = "{HEAD}"
branch_labels = depends_on = None


def upgrade():
    op.add_column("tournament", sa.Column("motto", sa.String(), server_default="onward"))
'''


def test_new_bot_writes_a_project_and_names_the_next_commands(arena, tmp_path):
    folder = tmp_path / "mine"
    answer = arena("new", "bot", "sharp", "--folder", folder)
    assert answer.code == 0
    assert str(folder / "sharp.py") in answer.out.splitlines()
    assert (folder / "tests" / "test_sharp.py").is_file()
    assert f"Next: cd {folder} && pytest" in answer.err
    assert "arena match sharp.py random" in answer.err
    assert "pip install" not in answer.err + (folder / "README.md").read_text()


def test_new_bot_for_another_game_names_the_command_to_play_it(arena, tmp_path):
    answer = arena("new", "bot", "bold", "--game", "sabacc", "--folder", tmp_path / "bold")
    assert answer.code == 0
    assert "arena match bold.py random --game sabacc" in answer.err


def test_new_bot_writes_into_a_folder_of_its_name(arena, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert arena("new", "bot", "sharp").code == 0
    assert (tmp_path / "sharp" / "pyproject.toml").is_file()
    again = arena("new", "bot", "sharp")
    assert again.code == 2
    assert "sharp is not empty; nothing was written" in again.err


def test_new_bot_refuses_a_name_that_is_taken_and_a_game_without_template(arena, tmp_path):
    taken = arena("new", "bot", "stand", "--folder", tmp_path / "a")
    assert (taken.code, taken.err) == (
        2,
        "arena: there is a bot 'stand' already; choose another name\n",
    )
    chess = arena("new", "bot", "sharp", "--game", "chess", "--folder", tmp_path / "a")
    assert chess.code == 2
    assert "'chess'; choices: pazaak" in chess.err
    assert not (tmp_path / "a").exists()


def test_new_game_writes_a_project_and_names_the_next_commands(arena, tmp_path):
    folder = tmp_path / "mine"
    answer = arena("new", "game", "high-card", "--folder", folder)
    assert answer.code == 0
    assert str(folder / "high_card.py") in answer.out.splitlines()
    assert answer.err.splitlines() == [
        "",
        f"Next: cd {folder} && pip install -e . && pytest",
        "Then: arena check game high-card",
        "      arena match random search --game high-card",
    ]
    full = arena("new", "game", "high-card", "--full", "--folder", tmp_path / "full")
    assert str(tmp_path / "full" / "high_card" / "game.py") in full.out.splitlines()
    again = arena("new", "game", "high-card", "--folder", folder)
    assert again.code == 2
    assert "mine is not empty; nothing was written" in again.err


def test_new_game_refuses_a_name_that_is_taken_or_cannot_be_used(arena, tmp_path):
    for name, line in (
        ("pazaak", "arena: there is a game 'pazaak' already; choose another name\n"),
        (
            "random",
            "arena: game name 'random' would hide the module 'random'; choose another name\n",
        ),
    ):
        answer = arena("new", "game", name, "--folder", tmp_path / "a")
        assert (answer.code, answer.err) == (2, line)
    assert not (tmp_path / "a").exists()


def test_upgrade_of_a_present_database_does_nothing(arena, own, tmp_path):
    answer = arena("db", "upgrade", "--db", own)
    assert (answer.code, answer.out) == (0, f"{own} is up to date; nothing to do\n")
    assert [path.name for path in tmp_path.glob("*.backup")] == []


def test_upgrade_of_an_older_database_names_the_copy(arena, own, tmp_path, monkeypatch):
    scripts = tmp_path / "migrations"
    shutil.copytree(module.SCRIPTS, scripts, ignore=shutil.ignore_patterns("__pycache__"))
    (scripts / "versions" / f"{NEXT}_next.py").write_text(MIGRATION)
    monkeypatch.setattr(module, "SCRIPTS", scripts)
    monkeypatch.setattr(module, "HEAD", NEXT)
    refused = arena("leaderboard", "--db", own)
    assert refused.code == 2
    assert f"run: arena db upgrade --db {own}" in refused.err
    answer = arena("db", "upgrade", "--db", own)
    backup = tmp_path / f"own.db.{HEAD}.1.backup"
    assert (answer.code, answer.out) == (0, f"{own} is upgraded; the file as it was is {backup}\n")
    assert backup.is_file()
    with module.open_database(own) as database:
        assert len(tournaments(database)) == 1


def test_upgrade_without_a_database_is_bad_input(arena, tmp_path):
    answer = arena("db", "upgrade", "--db", f"sqlite:///{tmp_path}/none.db")
    assert answer.code == 2
    assert "there is nothing to upgrade" in answer.err
    assert not list(tmp_path.iterdir())
