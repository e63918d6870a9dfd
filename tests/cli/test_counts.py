"""``arena elo`` and ``arena sprt``: documents, texts, and one line for bad input."""

from __future__ import annotations

import json

import pytest

from arena import stats


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("elo --wdl 3 0 0", stats.elo(wdl=[3, 0, 0])),
        (
            "sprt --pentanomial 1 2 3 4 5 --elo0 0 --elo1 5 --beta 0.1",
            stats.sprt(pentanomial=[1, 2, 3, 4, 5], elo0=0, elo1=5, beta=0.1),
        ),
    ],
    ids=["elo", "sprt"],
)
def test_the_document_is_that_of_the_function(arena, line, found):
    answer = arena(*line.split(), "-o", "json")
    assert (answer.code, answer.err, json.loads(answer.out)) == (0, "", found)


TEXTS = {
    "elo --wdl 136 111 96": """\
Elo: +40.70 ± 30.43, nElo: +49.77 ± 36.77
LOS: 99.60%, score: 55.83%
Games: 343, Wins: 136, Losses: 96, Draws: 111
It is better than its opponent: +41 Elo (95 %: +10 .. +72), 343 matches.
""",
    "elo --pentanomial 0 0 0 0 3": """\
Elo: not bounded, nElo: not bounded
LOS: -, score: 100.00%
Games: 6, Ptnml(0-2): [0, 0, 0, 0, 3]
Too few results to say which side is better: at least -154 Elo (95 %), 3 pairs.
The figures with ± are too sure: few pairs, or all alike.
""",
    "elo --wdl 1 0 9": """\
Elo: -381.70 ± not bounded, nElo: -463.25 ± 215.34
LOS: 0.00%, score: 10.00%
Games: 10, Wins: 1, Losses: 9, Draws: 0
It is weaker than its opponent: -382 Elo (95 %: -1038 .. -38), 10 matches.
The figures with ± are too sure: few matches, or all alike.
""",
    "sprt --pentanomial 365 16618 36229 16974 390 --elo0 0 --elo1 2": """\
SPRT: normalized Elo 0 against 2, alpha 0.05, beta 0.05
LLR: 2.25, bounds -2.94 .. 2.94
Elo: +1.00 ± 0.92, nElo: +1.96 ± 1.81
LOS: 98.31%, score: 50.14%
Games: 141152, Ptnml(0-2): [365, 16618, 36229, 16974, 390]
Elo at 95 %, however often one looks: -0.7 .. +2.7
Undecided: about 42,000 more matches needed if they go on like these.
""",
    "sprt --wdl 90 0 30 --elo0 0 --elo1 10 --beta 0.1 --model logistic": """\
SPRT: logistic Elo 0 against 10, alpha 0.05, beta 0.1
LLR: 1.68, bounds -2.25 .. 2.89
Elo: +190.85 ± 73.67, nElo: +200.59 ± 62.16
LOS: 100.00%, score: 75.00%
Games: 120, Wins: 90, Losses: 30, Draws: 0
Elo at 95 %, however often one looks: +80 .. +331
Undecided: about 87 more matches needed if they go on like these.
""",
    "sprt --wdl 90 0 30 --elo0 0 --elo1 100": """\
SPRT: normalized Elo 0 against 100, alpha 0.05, beta 0.05
LLR: 12.26, bounds -2.94 .. 2.94
Elo: +190.85 ± 73.67, nElo: +200.59 ± 62.16
LOS: 100.00%, score: 75.00%
Games: 120, Wins: 90, Losses: 30, Draws: 0
Elo at 95 %, however often one looks: +80 .. +331
H1 is accepted: 100 normalized Elo rather than 0.
""",
    "sprt --wdl 5 3 0 --elo0 0 --elo1 5 --model bayesian": """\
SPRT: bayesian Elo 0 against 5, alpha 0.05, beta 0.05
LLR: 0.00, bounds -2.94 .. 2.94
Elo: +254.73 ± 287.32, nElo: +448.54 ± 240.76
LOS: 99.99%, score: 81.25%
Games: 8, Wins: 5, Losses: 0, Draws: 3
Elo at 95 %, however often one looks: no bounds yet
Undecided: bayesian Elo needs a match won and one lost.
""",
}


@pytest.mark.parametrize("line", TEXTS)
def test_the_text_ends_with_one_plain_sentence(arena, line):
    answer = arena(*line.split())
    assert (answer.code, answer.err) == (0, "")
    assert answer.out == TEXTS[line]


WRONG = {
    "elo": "counts are either wdl (W D L) or pentanomial (LL LD MID WD WW), but none is given",
    "elo --wdl 1 2 3 --pentanomial 1 2 3 4 5": "counts are either wdl (W D L) or pentanomial "
    "(LL LD MID WD WW), not both",
    "elo --wdl 0 0 0": "wdl: all counts are 0; at least one result is needed",
    "elo --wdl 1 -2 3": "wdl: D must be a whole number from 0 to 1,000,000,000,000, not -2",
    "elo --pentanomial 1 2 3 4 -5": "pentanomial: WW must be a whole number from 0 to "
    "1,000,000,000,000, not -5",
    "sprt --wdl 1 2 3 --elo0 5 --elo1 5": "elo0: expected less than elo1, 5, not 5",
    "sprt --wdl 1 2 3 --elo0 0 --elo1 5 --alpha .5 --beta .5": "alpha and beta must add up to "
    "less than 1: 0.5, 0.5",
    "sprt --pentanomial 1 2 3 4 5 --elo0 0 --elo1 5 --model bayesian": "the model bayesian is of "
    "wins, draws and losses, not of pairs",
}


@pytest.mark.parametrize("line", WRONG)
def test_bad_input_is_one_line(arena, line):
    answer = arena(*line.split())
    assert (answer.code, answer.out, answer.err) == (2, "", f"arena: {WRONG[line]}\n")


@pytest.mark.parametrize("given", ["1 2", "1 2 3 4", "1 2 x"])
def test_a_wrong_number_of_counts_is_bad_input(arena, given):
    answer = arena("elo", "--wdl", *given.split())
    assert (answer.code, answer.out) == (2, "")
    assert answer.err
