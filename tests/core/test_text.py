"""Text files are read with every mark and line end that editors write; others are named."""

from __future__ import annotations

from codecs import BOM_UTF8

import pytest

from arena.core.errors import ParseError
from arena.core.text.decoding import decode_text, wide_encoding
from arena.core.text.toml import read_toml

WIDE = ("utf-16", "utf-16-le", "utf-16-be", "utf-32")


@pytest.mark.parametrize("mark", [b"", BOM_UTF8])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_mark_and_line_ends_make_no_difference(mark, end):
    data = mark + f"a = 1{end}b = 'é'{end}".encode()
    assert decode_text(data) == "a = 1\nb = 'é'\n"
    assert read_toml(data) == {"a": 1, "b": "é"}


@pytest.mark.parametrize("encoding", WIDE)
def test_wide_text_is_named_where_the_format_demands_utf_8(encoding):
    name = "UTF-32" if encoding == "utf-32" else "UTF-16"
    data = 'format = "swiss"\n'.encode(encoding)
    assert wide_encoding(data) == name
    with pytest.raises(ParseError, match=f"^is {name} text; save it as UTF-8$"):
        read_toml(data)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32"])
def test_wide_text_with_a_mark_is_read_where_that_is_usual(encoding):
    assert decode_text("é\r\n".encode(encoding), wide=True) == "é\n"
    with pytest.raises(ParseError, match="is damaged text"):
        decode_text("é\r\n".encode(encoding)[:-1], wide=True)


def test_bytes_that_are_not_utf_8_are_refused_or_read_as_single_letters():
    with pytest.raises(ParseError, match=r"is not UTF-8 text \(byte 1\); save it as UTF-8"):
        decode_text(b"M\xfcller")
    assert decode_text(b"M\xfcller", otherwise="latin-1") == "Müller"


@pytest.mark.parametrize("mark", [b"", BOM_UTF8])
def test_lines_of_two_encodings_are_read_each_by_its_own(mark):
    warnings = []
    data = mark + "A\r\nŽižek\r".encode() + b"M\xfcller\nb\xe9b\xe9\n"
    text = decode_text(data, otherwise="Windows-1252", warn=warnings.append)
    assert text == "A\nŽižek\nMüller\nbébé\n"
    assert warnings == [
        "mixes two encodings: line 3 and 1 more read as Windows-1252, the others as UTF-8"
    ]


def test_lines_of_one_encoding_are_read_without_a_warning():
    warnings = []
    for data in (b"A\nM\xfcller\nM\xe9\n", "A\nMüller\n".encode(), b"A\n"):
        decode_text(data, otherwise="Windows-1252", warn=warnings.append)
    assert warnings == []


@pytest.mark.parametrize("data", [b"", b"a", b"\0", b"plain text", "日本語".encode(), bytes(100)])
def test_other_bytes_are_not_taken_for_wide_text(data):
    assert wide_encoding(data) == ""
