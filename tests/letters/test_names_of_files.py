"""Files of letters: whatever authors call themselves, each has one in the folder, and no more."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.core.errors import BadInput
from arena.core.table import Column, Table
from arena.pages.letter import INDEX, WIDTH, letter_text, room, write_letters
from arena.service.letters.letter import Letter, Passage, check_new_folder, file_names, shortened

HOSTILE = (
    "../../etc/passwd",
    "/etc/passwd",
    "..",
    ".",
    "",
    "Ann",
    "ann",
    "ANN ",
    "Ann/",
    "\x1b[2JAnn\r\nBcc: x",
    "a" * 5000,
    "a" * 4999 + "b",
    "‮nnA",
    "אבג",
    "ﷺ" * 60,
    "．．／．．／x",
    "con\0",
    "letters.json",
    "𝒜𝓃𝓃",
    "é",
    "é",
    "-rf *",
)
"""Path tricks, control characters, long names, names that are equal after cleaning, both ways."""


def letter(author: str, *passages: Passage) -> Letter:
    return Letter(author=author, bots=("bot",), subject="x", passages=passages, facts={})


@given(st.lists(st.one_of(st.sampled_from(HOSTILE), st.text(max_size=80)), max_size=30))
def test_each_letter_has_a_safe_name_of_its_own(authors):
    names = file_names([*map(letter, authors)])
    assert len({name.casefold() for name in names}) == len(authors) == len(names)
    for name in names:
        assert name.endswith(".txt")
        assert name.isprintable()
        assert not {*name} & {*"/\\:* \0\n\x1b"}
        assert name[0] not in "-."
        assert len(name.encode()) < 255


@settings(max_examples=20)
@given(st.lists(st.sampled_from(HOSTILE), min_size=1, max_size=10))
def test_every_letter_is_in_the_folder_and_nothing_anywhere_else(tmp_path_factory, authors):
    place = tmp_path_factory.mktemp("letters")
    write_letters(place / "a" / "b", [*map(letter, authors)], "dir")
    index = json.loads((place / "a" / "b" / INDEX).read_text("utf-8"))
    assert [each["author"] or "" for each in index] == authors
    files = {path.name for path in (place / "a" / "b").iterdir()}
    assert files == {INDEX, *(each["file"] for each in index)}
    assert [path.name for path in place.rglob("*") if path.name not in {*files, "a", "b"}] == []
    for each in index:
        text = (place / "a" / "b" / each["file"]).read_text("utf-8")
        assert text.endswith(f"\n\n{each['text']}")
        assert all(line.isprintable() for line in text.split("\n"))
        head = text.split("\n\n")[0].split("\n")
        assert [line.split(":")[0] for line in head] == ["To", "Subject"]


def test_no_letter_replaces_a_file(tmp_path):
    (tmp_path / "Ann.txt").write_text("mine")
    with pytest.raises(BadInput, match=r"expected a new or empty folder; it holds 'Ann\.txt'"):
        write_letters(tmp_path, [letter("Ann")], "dir")
    assert (tmp_path / "Ann.txt").read_text() == "mine"
    for place in ("Ann.txt", "Ann.txt/below/it"):
        with pytest.raises(BadInput, match=r"--dir .*Ann.txt.*: expected a new folder: Not a dir"):
            check_new_folder(tmp_path / place, "dir")
    (tmp_path / "empty").mkdir()
    for place in ("empty", "new/one"):
        check_new_folder(tmp_path / place, "dir")
    assert {path.name for path in tmp_path.iterdir()} == {"Ann.txt", "empty"}


WORDS = st.text(st.characters(exclude_categories=["Cs"]), max_size=200)


@given(text=WORDS, cells=st.lists(WORDS, min_size=1, max_size=4), lines=st.lists(WORDS, max_size=4))
def test_text_is_printable_and_no_wider_than_a_letter(text, cells, lines):
    columns = tuple([Column(str(number), f"head {number}") for number in range(len(cells))])
    table = Table(columns=columns, rows=[{str(number): cell for number, cell in enumerate(cells)}])
    shown = shortened("\n".join(lines))
    part = Passage(text=" ".join(text.split()), table=table, lines=shown)
    for line in letter_text(letter("Ann", part)).split("\n"):
        assert line.isprintable()
        assert len(line) <= WIDTH or "arena " in line or "http" in line, line
        assert line == line.rstrip()


def test_wide_characters_take_two_columns_and_marks_none():
    assert (room("abc"), room("日本"), room("é")) == (3, 4, 1)


def test_long_complaints_keep_their_beginning_and_their_end():
    found = shortened("\n".join(f"line {number}" for number in range(1000)))
    assert len(found) < 35
    assert (found[0], found[-1]) == ("line 0", "line 999")
    assert "... (971 lines left out)" in found
    assert shortened('  File "/srv/op/received/x.py", line 3') == ('  File "x.py", line 3',)
