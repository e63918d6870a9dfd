import pytest

from arena.core.text.printable import printable_line, printable_text, without_folders


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("1.0", "1.0"),
        ("\x1b[2J\x1b]0;mine\x07", "?[2J?]0;mine?"),
        ("abc\u202egnp.exe\u2066", "abc?gnp.exe?"),
        ("two\nlines\r\n and\ttabs\u2028here", "two lines and tabs here"),
        ("\ud800\0\x7f", "???"),
        ("±1T naïve 牌", "±1T naïve 牌"),
        ("  ", ""),
    ],
)
def test_a_line_holds_nothing_but_printable_characters(raw, shown):
    assert printable_line(raw) == shown


def test_a_long_line_is_cut_with_a_mark():
    assert printable_line("x" * 10_000, 50) == "x" * 47 + "..."
    assert printable_line("y" * 50, 50) == "y" * 50
    assert len(printable_line(" \n" * 10_000 + "z" * 10_000)) <= 200


def test_a_text_keeps_its_lines_and_its_end():
    assert printable_text("a\n\tb\x1b[31m\r\nc\u202e") == "a\n\tb?[31m\nc?"
    assert printable_text("first\n" * 10_000 + "ValueError: last", 100).endswith("ValueError: last")
    assert len(printable_text("q" * 10_000, 100)) == 100


def test_a_text_without_folders_keeps_the_names_of_files_and_all_else():
    text = 'File "/usr/lib/python3.11/json/decoder.py", line 3\n  and/or x/y.py (in /srv/a.db): /'
    shown = 'File "decoder.py", line 3\n  and/or x/y.py (in a.db): /'
    assert without_folders(text) == shown
    assert without_folders("see https://arena.example/b/x") == "see https://arena.example/b/x"
