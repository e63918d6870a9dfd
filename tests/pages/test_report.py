"""``arena report``: the files that it writes, from stored tournaments."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

import arena as api
from arena.cli.app import build
from arena.core.errors import BadInput, UnknownName
from tests.pages.played import HOSTILE


class _Page(HTMLParser):
    """The elements of a page, and its text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))

    def handle_data(self, data):
        self.text += data


def read(file: Path) -> _Page:
    return _Page(file.read_text())


@pytest.fixture(scope="session")
def written(cups, tmp_path_factory) -> Path:
    """The report of the tournament with faults."""
    folder = tmp_path_factory.mktemp("written") / "cup"
    with api.open_database(cups) as db:
        assert (
            db.tournament(1).report(html=folder, match=["1.2.1"], replays=3)
            == folder / "index.html"
        )
    return folder


@pytest.fixture(scope="session")
def pages(written) -> dict[Path, _Page]:
    """The pages of the report, by file."""
    return {file: read(file) for file in written.rglob("*.html")}


@pytest.fixture
def report(cups):
    """Writes a report of a tournament."""

    def write(number: int, **options):
        with api.open_database(cups) as db:
            return db.tournament(number).report(**options)

    return write


def test_every_link_leads_to_a_file_of_the_folder(written, pages):
    names = {str(path.relative_to(written)) for path in written.rglob("*") if path.is_file()}
    assert {"index.html", "style.css", "board.css", "player.js"} <= names
    for file, page in pages.items():
        for _, attributes in page.elements:
            for key in ("href", "src"):
                address = (attributes.get(key) or "").partition("#")[0]
                if address and not address.startswith("data:"):
                    place = (file.parent / address).resolve().relative_to(written.resolve())
                    assert str(place) in names
    assert "replays/1.1.2.1.html" in names


def test_the_page_has_standings_crosstable_rounds_losses_times_and_matches(written, pages):
    page = pages[written / "index.html"]
    sections = [each["id"] for tag, each in page.elements if tag == "section"]
    assert sections == [
        *("standings", "crosstable", "why", "rounds", "losses", "times"),
        *("asked", "closest", "faults"),
    ]
    for name in ("stands-15", "broken", "crash", "limit", "won-drawn-lost", "Round 3"):
        assert name in page.text


def test_names_and_messages_are_texts(written, pages):
    for file, page in pages.items():
        scripts = [each for tag, each in page.elements if tag == "script"]
        assert not [each for each in scripts if not each], file  # ours have attributes
        assert "alert(" not in "".join(str(each) for each in page.elements if each[0] == "script")
        assert "Traceback" not in page.text
    assert HOSTILE in pages[written / "index.html"].text


def test_nothing_in_a_page_is_written_inline_or_asks_anybody(pages):
    for page in pages.values():
        policy, *_ = [each["content"] for tag, each in page.elements if "http-equiv" in each]
        assert policy.startswith("default-src 'none'; ")
        for tag, attributes in page.elements:
            assert tag != "style"
            assert not [key for key in attributes if key == "style" or key.startswith("on")]


def test_equal_results_give_equal_bytes(written, report, tmp_path):
    again = tmp_path / "again"
    report(1, html=again, match=["1.2.1"], replays=3)
    files = [path.relative_to(written) for path in written.rglob("*") if path.is_file()]
    assert [(again / each).read_bytes() for each in files] == [
        (written / each).read_bytes() for each in files
    ]


def test_one_file_holds_everything(report, tmp_path):
    page = read(report(1, single=tmp_path / "cup.html", replays=2))
    addresses = [each.get("href") or each.get("src") or "" for _, each in page.elements]
    assert all(each.startswith(("#", "data:")) for each in addresses if each)
    anchors = {each.get("id") for _, each in page.elements}
    assert {each[1:] for each in addresses if each.startswith("#")} <= anchors
    assert [each for each in anchors if (each or "").startswith("match-1.")]
    assert "Move 0" in page.text


def test_a_tournament_at_tables_and_a_knockout_have_theirs(report, tmp_path):
    tables = read(report(2, single=tmp_path / "tables.html", replays=0))
    assert "place" in tables.text
    assert "duels" in tables.text
    assert "hands/match" in tables.text
    bracket = read(report(3, single=tmp_path / "bracket.html", replays=0))
    assert "final" in bracket.text
    winners = [each for tag, each in bracket.elements if (tag, each.get("class")) == ("p", "w")]
    assert len(winners) == 4
    steps = [each.get("class") for tag, each in bracket.elements if tag == "li"][:3]
    assert steps == ["second", "first", "third"]  # the champion in the middle


def test_a_tournament_that_is_not_over_keeps_its_secrets(report, tmp_path, cups):
    page = read(report(4, html=tmp_path / "cup", replays=2))
    assert "is not over: 1 of 3 rounds" in page.text
    assert not re.search(r"\bKey\b|Nonce", page.text)
    replays = list((tmp_path / "cup" / "replays").iterdir())
    assert replays
    with api.open_database(cups) as db:
        key = db.tournament(4).summary.key
    for file in (tmp_path / "cup").rglob("*.html"):
        assert key not in file.read_text()
    assert "seed" not in read(replays[0]).text.lower()
    open_seed = report(5, single=tmp_path / "open.html", replays=1)
    assert "987654321" not in open_seed.read_text()
    with pytest.raises(BadInput, match="not finished: its replays have the view public"):
        report(4, html=tmp_path / "other", view="all")


def test_a_tournament_without_a_match_has_its_facts_and_its_field(report, tmp_path):
    page = read(report(6, single=tmp_path / "cup.html"))
    assert "stands-15" in page.text
    assert [each["id"] for tag, each in page.elements if tag == "section"] == [
        "bracket",
        "standings",
    ]


def test_an_earlier_report_is_replaced_if_wanted_and_nothing_else(report, tmp_path):
    folder = tmp_path / "cup"
    folder.mkdir()
    report(2, html=folder, replays=1)
    (folder / "replays" / "old.html").write_text("")
    with pytest.raises(BadInput, match="holds a report already: force=True replaces it"):
        report(2, html=folder)
    report(2, html=folder, replays=1, force=True)
    assert not (folder / "replays" / "old.html").exists()
    (folder / "thesis.txt").write_text("mine")
    with pytest.raises(BadInput, match=r"holds 'thesis\.txt', which is not part of a report"):
        report(2, html=folder, force=True)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cup"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "either to a folder"),
        ({"html": "x", "single": "y"}, "either to a folder"),
        ({"html": "x", "match": "one"}, "match 'one' of tournament 1: write ROUND.PAIRING.MATCH"),
        ({"html": "x", "match": ["9.1.1"]}, "9.1.1"),
        ({"html": "x", "view": "seat0"}, "view"),
        ({"html": "x", "replays": -1}, "replays"),
        ({"single": "no/such/folder/x"}, "cannot be written"),
    ],
)
def test_bad_input_is_refused_before_anything_is_written(
    report, tmp_path, monkeypatch, options, message
):
    monkeypatch.chdir(tmp_path)
    with pytest.raises((BadInput, UnknownName), match=re.escape(message)):
        report(1, **options)
    assert list(tmp_path.iterdir()) == []


def test_the_command_writes_what_the_api_writes(report, cups, tmp_path):
    file, same = tmp_path / "cup.html", tmp_path / "same.html"
    options = ("--match", "1.1.2", "--replays", "0", "--view", "public", "--db", cups)
    words = ["report", "2", "--single", str(file), *options]
    build(words)(words, standalone_mode=False)
    report(2, single=same, match="2.1.1.2", replays=0, view="public")
    assert file.read_bytes() == same.read_bytes()
