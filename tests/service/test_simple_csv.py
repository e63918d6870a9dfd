"""Large simple files are read column by column, and give what the plain reader gives."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.core.errors import BadInput
from arena.service.rating import result_files, simple_csv
from arena.service.rating.result_files import read_results

NAMES = st.sampled_from(
    ["a", "b", " a", "a ", "ab", "abcdefgh", "abcdefghi", "abcdefghj", "Zoë", "x" * 40, ""]
)
ROWS = st.lists(
    st.tuples(
        NAMES, NAMES, st.sampled_from(["1", "0", "0.5", " 1", "1/2"]), st.sampled_from("123")
    ),
    min_size=1,
    max_size=30,
)
ODD = st.sampled_from(
    ["", "\n", '"a",b,1,1', "a,b,1", "a,b,1,1,1", "a\0,b,1,1", "x" * 200 + ",b,1,1"]
)


def read(path, large):
    """Returns what a file gives if files of so many characters are large."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(result_files, "LARGE", large)
        patch.setattr(result_files, "_BLOCK", 7)
        try:
            found = read_results(path, lambda line: None)
        except BadInput as error:
            return str(error)
    return found.names, *map(list, (found.first, found.second, found.scores, found.deals))


@pytest.mark.parametrize("rounds", [simple_csv._ROUNDS, 1, 0])
@given(rows=ROWS, odd=st.none() | ODD, end=st.sampled_from(["\n", "\r\n"]), last=st.booleans())
def test_a_large_file_is_read_as_a_small_one(tmp_path_factory, rounds, rows, odd, end, last):
    lines = ["player1, player2,score,pair", *map(",".join, rows), *([] if odd is None else [odd])]
    path = tmp_path_factory.getbasetemp() / "results.csv"
    path.write_bytes((end.join(lines) + end * last).encode())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(simple_csv, "_ROUNDS", rounds)  # of few, values that share slots are left
        assert read(path, 0) == read(path, 10**9)


def test_simple_files_are_those_without_quotes_and_with_equal_lines():
    assert simple_csv.simple_csv("a,b\n1,2\n3,4").header == ["a", "b"]
    odd = (
        '"a",b\n1,2',
        "a,b\n1\n",
        "a,b\n\n1,2",
        "a,b\r1,2",
        "a\n\nb",
        "a,b\n1,2,3\n4",
        "",
        "a" * 65,
    )
    assert [simple_csv.simple_csv(text) for text in odd] == [None] * len(odd)
