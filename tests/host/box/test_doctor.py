"""``arena doctor``: the table, the document, and what is missing."""

from __future__ import annotations

import msgspec
import pytest
import typer
from typer.testing import CliRunner

from arena.cli.verbs.machine import doctor
from arena.host.box.bubblewrap import bubblewrap
from arena.host.box.cgroups import try_groups
from arena.host.box.probing.attacks import ATTACKS


def run(*words: str) -> str:
    app = typer.Typer(rich_markup_mode=None)
    doctor.register(app)
    result = CliRunner().invoke(app, words, catch_exceptions=False)
    assert result.exit_code == 0
    return result.output


@pytest.mark.skipif(bubblewrap() is None, reason="bubblewrap is not installed")
def test_every_attack_has_a_row_with_what_each_level_did():
    lines = run("--all").splitlines()
    for attack in ATTACKS:
        row = next(line for line in lines if line.strip().startswith(f"{attack.name}  "))
        assert row.count("stopped") + row.count("GOT THROUGH") == 3
    database = next(line for line in lines if "read the database" in line)
    assert database.split("  ")[-1].strip() == "stopped"
    assert "GOT THROUGH" in database


def test_without_all_each_level_has_one_line_and_no_attack_a_row():
    text = run()
    assert f" of {len(ATTACKS)} attacks stopped\n" in text
    assert "GOT THROUGH" not in text
    assert len(text.splitlines()) < 40


def test_table_fits_into_eighty_columns():
    table = run("--all").split("\n\n")[1]
    assert max(map(len, table.splitlines())) <= 80


@pytest.mark.skipif(bubblewrap() is None, reason="bubblewrap is not installed")
def test_document_counts_what_was_stopped():
    document = msgspec.json.decode(run("-o", "json"))
    assert [each["level"] for each in document["levels"]] == ["process", "confined", "boxed"]
    for level in document["levels"]:
        answers = [row[level["level"]] for row in document["attacks"]]
        assert level["stopped"] == answers.count("stopped")
        assert level["attacks"] == len(ATTACKS)
    assert document["auto"] == "boxed"
    assert (document["missing"], document["advice"]) == ([], [])
    assert document["machine"]["Landlock"].startswith("ABI ")


def test_control_groups_are_named_or_the_reason_why_there_are_none():
    tried = try_groups()
    document = msgspec.json.decode(run("-o", "json"))
    assert document["control_groups"] == {
        "controllers": list(tried.controllers),
        "failure": tried.failure,
    }
    assert document["machine"]["control groups"] == (", ".join(tried.controllers) or "no")
    text = " ".join(run().split())
    if tried.controllers:
        assert f"limit each bot's process: {', '.join(tried.controllers)}." in text
    else:
        assert f"No control groups: {tried.failure}." in text


@pytest.fixture
def no_bubblewrap(monkeypatch, tmp_path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))


@pytest.mark.usefixtures("no_bubblewrap")
def test_a_missing_bubblewrap_is_named_with_the_fix():
    report = run()
    assert "boxed: bubblewrap (bwrap) is not installed\n" in report
    assert "--isolation auto takes confined here.\n" in report
    assert "Not boxed: bubblewrap (bwrap) is not installed." in report
    assert "To get boxed, install the package bubblewrap.\n" in report
    document = msgspec.json.decode(run("-o", "json"))
    assert document["auto"] == "confined"
    assert {row["boxed"] for row in document["attacks"]} == {"-"}
