"""Playthroughs of any game: from a heading, and from the record of a match."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.core.bot import Bot
from arena.core.errors import ParseError
from arena.games.pazaak.game import Pazaak
from arena.games.sabacc.game import Sabacc
from arena.host.bot.inline import play_inline
from arena.match.limits import Limits
from arena.testing.playthrough import Heading, check_golden, narrate, playthrough
from arena.testing.scripted import RandomBot, ScriptedBot
from tests.table_game import RULES, Table

PAZAAK, SABACC = Pazaak(), Sabacc()


def heading(**facts: object) -> Heading:
    return Heading.read(
        "\n".join(["A title", *(f"{key}: {value}" for key, value in facts.items())])
    )


def record_of(game, *bots, ruleset="", seed=1):
    names = [bot.__name__ for bot in bots]
    return play_inline(game, game.ruleset(ruleset), seed, seed, bots, names, Limits())[0]


class Crashes(Bot):
    def act(self, observation):
        raise ValueError("boom")


class Unborn(Bot):
    def __init__(self):
        raise ValueError("no such file")


def test_a_heading_is_read_from_its_own_text_or_a_whole_playthrough():
    text = "Two are out\nruleset: old_republic(hands=2)\nseats: 6\nseed: 1\n"
    text += "expel: seat 4 at move 8, seat 5 at move 20"
    whole = Heading.read(f"{text}\n\nHand 1\nseed: 99\n")
    assert whole == Heading.read(text)
    assert (whole.text, whole.ruleset, whole.seats, whole.seed) == (
        text, "old_republic(hands=2)", 6, 1,
    )  # fmt: skip
    assert whole.expelled == {8: 4, 20: 5}


@pytest.mark.parametrize("lack", ["ruleset", "seats", "seed"])
def test_a_heading_without_a_needed_fact_is_refused_by_its_name(lack):
    facts = {"ruleset": "standard", "seats": 2, "seed": 1}
    del facts[lack]
    with pytest.raises(ParseError, match=f"needs ruleset, seats and seed.*{lack}"):
        heading(**facts)
    with pytest.raises(ParseError, match="needs ruleset, seats and seed"):
        heading(ruleset="standard", seats="two", seed=1)


@given(seed=st.integers(0, 2**53 - 1))
def test_the_same_heading_gives_the_same_playthrough(seed):
    facts = heading(ruleset="standard(max_sets=1)", seats=2, seed=seed)
    first = playthrough(PAZAAK, facts)
    assert first.text == playthrough(PAZAAK, facts).text
    assert Heading.read(first.text) == facts
    assert first.state.is_terminal()


def test_a_playthrough_shows_chance_decisions_views_and_public_events():
    text = playthrough(PAZAAK, heading(ruleset="standard(max_sets=1)", seats=2, seed=3)).text
    for part in (
        "\n\nchance: hand ", "\nchance: deck card ", " starts the set\n",
        "\n\nseat 0 sees\n  Set 1, seat ", "    your hand: ", "\n\nseat 1 sees\n", "\nThe end: ",
    ):  # fmt: skip
        assert part in text
    decisions = [line for line in text.splitlines() if line in ("seat 0: stand", "seat 1: stand")]
    assert decisions
    assert "  seat 0: stand\n" not in text


def test_a_seat_is_taken_out_as_the_heading_says():
    facts = {"ruleset": "old_republic", "seats": 3, "seed": 1, "expel": "seat 2 at move 1"}
    text = playthrough(SABACC, heading(**facts)).text
    assert "seat 2 is taken out of the match\n" in text
    after = text.split("seat 2 is taken out of the match", 1)[1]
    assert "\nseat 2: " not in after
    with pytest.raises(ParseError, match="the match is over after"):
        playthrough(SABACC, heading(**{**facts, "expel": "seat 2 at move 900"}))


def test_the_playthrough_of_a_record_reaches_from_loadouts_to_the_end():
    text = narrate(PAZAAK, record_of(PAZAAK, RandomBot, RandomBot, seed=5))
    facts = Heading.read(text)
    assert (facts.ruleset, facts.seats, facts.seed) == ("standard", 2, 5)
    assert "seat 1 brings: +1 +2 " in text
    assert text.count("\nThe end: rules\n") == 1
    assert "score 3, return +1.00" in text


def test_the_playthrough_of_a_broken_match_ends_with_the_fault():
    text = narrate(PAZAAK, record_of(PAZAAK, RandomBot, Crashes))
    assert "\nThe end: crash (seat 1: ValueError)\n  seat 0: score 0, return +1.00\n" in text
    early = narrate(PAZAAK, record_of(PAZAAK, Unborn, RandomBot))
    assert "sees" not in early
    assert "\n\nThe end: crash (seat 0: ValueError)\n" in early


def test_the_playthrough_of_a_record_shows_expulsions_in_order():
    text = narrate(SABACC, record_of(SABACC, RandomBot, Crashes, RandomBot, Unborn))
    first, second = (f"seat {seat} is taken out of the match" for seat in (3, 1))
    assert text.index(first) < text.index(second)
    assert text.index(first) < text.index("sees")


def test_any_game_has_playthroughs():
    text = playthrough(Table(), heading(ruleset=RULES.name, seats=3, seed=1)).text
    assert text.count(" sees\n") >= 6


def test_a_script_that_is_used_up_is_shown_as_a_crash():
    def script():
        return ScriptedBot(["stand"])

    text = narrate(PAZAAK, record_of(PAZAAK, script, script))
    assert "LookupError" in text


def test_a_golden_file_is_compared_and_its_difference_shown(tmp_path):
    path = tmp_path / "new" / "match.txt"
    with pytest.raises(AssertionError, match=r"there is no playthrough .*match.txt yet"):
        check_golden(path, "one\ntwo\n")
    check_golden(path, "one\ntwo\n", update=True)
    check_golden(path, "one\ntwo\n")
    with pytest.raises(AssertionError, match=r"(?s)match.txt differs.*-two\n\+three"):
        check_golden(path, "one\nthree\n")
    assert path.read_text() == "one\ntwo\n"
    check_golden(path, "one\nthree\n", update=True)
    assert path.read_text() == "one\nthree\n"
