"""``arena odds``: exact odds of described positions and of decisions in stored matches."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from itertools import combinations

import pytest

from arena.games.pazaak.parts.deck_solver import DeckSolver
from arena.games.pazaak.parts.solver import LOST, WON, solver
from arena.games.sabacc.cards.cards import DECK, card_named
from arena.games.sabacc.cards.ranking import ranker
from arena.games.sabacc.cards.variants import VARIANTS
from arena.games.sabacc.game import Sabacc


def odds(arena, *words):
    """By event and outcome; the whole document under ``None``."""
    answer = arena("odds", *words, "-o", "json")
    assert answer.code == 0, answer.err
    document = json.loads(answer.out)
    found = defaultdict(dict)
    for row in document["odds"]:
        found[row["event"]][row["outcome"]] = row["odds"]
    return {**found, None: document}


def test_the_next_card_of_pazaak_is_counted_from_the_deck(arena):
    found = odds(arena, "pazaak", "own=10 10 6", "rival=10 10 9")
    left = Counter(dict.fromkeys(range(1, 11), 4)) - Counter([10, 10, 6, 10, 10, 9])
    assert found["next card"] == {"over 20": 1.0}
    found = odds(arena, "pazaak", "own=10 3", "rival=10 9 7")
    left = Counter(dict.fromkeys(range(1, 11), 4)) - Counter([10, 3, 10, 9, 7])
    over = sum(left[value] for value in (8, 9, 10)) / left.total()
    assert found["next card"]["over 20"] == pytest.approx(over)
    assert found["next card"]["total 16"] == pytest.approx(3 / 35)


def test_a_set_against_a_rival_who_stands_is_counted_out(arena):
    found = odds(arena, "pazaak", "own=10 9", "rival=10 8", "stands=yes", "hand=+1 -3", "sets=2:2")
    assert found["stand"] == {"set won": 1, "set tied": 0, "set lost": 0}
    assert found["play -3"]["set won"] < 1
    left = Counter(dict.fromkeys(range(1, 11), 4)) - Counter([10, 9, 10, 8])
    assert found["end turn"]["set won"] == pytest.approx(left[1] / left.total())
    assert found[None]["actions"]["stand"] == pytest.approx(1)
    for action in found[None]["actions"]:
        assert sum(found[action].values()) == pytest.approx(1)


def by_hand(own, rival, deck, stood, drawn=False):
    """The chances of a seat to win and to lose, card by card; it has drawn, or is about to."""
    if not drawn:
        each = [by_hand(own + value, rival, deck - Counter([value]), stood, drawn=True)
                for value in deck.elements()]  # fmt: skip
        return sum(won for won, _ in each) / len(each), sum(lost for _, lost in each) / len(each)
    if own > 20:
        return 0.0, 1.0
    if stood:
        ways = [(float(own > rival), float(own < rival))]
        if own < 20:
            ways.append(by_hand(own, rival, deck, stood))
    else:
        ways = [by_hand(rival, own, deck, stood=True)[::-1]]
        if own < 20:
            ways.append(by_hand(rival, own, deck, stood=False)[::-1])
    return max(ways, key=lambda odds: odds[0] - odds[1])


@pytest.mark.parametrize(
    ("own", "rival", "stands", "won"),
    [("5 5 4", "5 5 8", "yes", 0.1870), ("10 6", "9 7 2", "no", None)],
)
def test_a_set_is_counted_from_the_deck_card_by_card(arena, own, rival, stands, won):
    """5 5 4 against a standing 5 5 8 was .1955, with cards after the next one 1 to 10 alike."""
    found = odds(arena, "pazaak", f"own={own}", f"rival={rival}", f"stands={stands}")
    tables = [[int(card) for card in table.split()] for table in (own, rival)]
    deck = Counter(dict.fromkeys(range(1, 11), 4)) - Counter(tables[0] + tables[1])
    totals = [*map(sum, tables)]
    if stands == "yes":
        chances = by_hand(*totals, deck, stood=True)
    else:
        chances = by_hand(*totals[::-1], deck, stood=False)[::-1]
    after = found["end turn"]
    assert (after["set won"], after["set lost"]) == pytest.approx(chances)
    assert won is None or after["set won"] == pytest.approx(won, abs=5e-5)
    assert not any(each["approximate"] for each in found[None]["odds"])


def test_a_set_with_too_many_ways_is_approximate_and_says_so(arena):
    found = odds(arena, "pazaak", "own=9")
    assert [each["approximate"] for each in found[None]["odds"]] == [
        each["event"] != "next card" for each in found[None]["odds"]
    ]
    assert "end turn: set won ~0." in arena("odds", "pazaak", "own=9").out
    assert "~" not in arena("odds", "pazaak", "own=10").out
    assert (
        "~" not in arena("odds", "pazaak", "own=9", "--ruleset", "standard(main_deck=infinite)").out
    )


def test_the_exact_set_is_near_the_approximate_one():
    """A whole set, with the cards of the deck and with 1 to 10 alike."""
    full = DeckSolver([4] * 10).drawing((6, 1), (7, 1), stood=False)
    about = solver(True).drawing(6, 1, 7, 1, False)
    assert full == pytest.approx(about, abs=0.02)
    assert full != pytest.approx(about, abs=1e-4)


def test_a_tiebreaker_that_lies_wins_a_tie():
    """S27: against a standing 20 only another 20 is no loss."""
    plain = DeckSolver([4] * 10).drawing((14, 3), (20, 3), stood=True)
    laid = DeckSolver([4] * 10, ties=(WON, LOST)).drawing((14, 3), (20, 3), stood=True)
    assert plain[0] == 0
    assert laid[0] == pytest.approx(1 - laid[1])
    assert laid[0] == pytest.approx(1 - plain[1])


def test_a_hand_of_sabacc_is_counted_against_every_hand(arena):
    names = ["Ace of Coins", "7 of Flasks"]
    found = odds(arena, "sabacc", f"hand={', '.join(names)}", "seen=Idiot", "rivals=2")
    ranks = ranker(Sabacc().ruleset(), VARIANTS["old_republic"])
    hand = [card_named(name) for name in names]
    deck = [*DECK]
    for card in (*hand, card_named("Idiot")):
        deck.remove(card)
    own = ranks.rank(hand)
    others = [ranks.rank(pair) for pair in combinations(deck, 2)]
    won = sum(own.key > other.key for other in others) / len(others)
    showdown = found["showdown with seat 1, 2 cards"]
    assert showdown["won"] == pytest.approx(won)
    assert sum(showdown.values()) == pytest.approx(1)
    assert found["hand"] == {"points, total 22": 1}
    drawn = Counter(ranks.rank((*hand, card)).category for card in deck)
    better = found["next card"].pop("a better hand")
    assert found["next card"] == pytest.approx(
        {category: number / len(deck) for category, number in drawn.items()}
    )
    assert better == pytest.approx(drawn["pure"] / len(deck))


def test_a_decision_of_a_match_has_the_odds_of_its_position(arena, stored):
    found = odds(arena, "1.1.1.1", "--move", "3", "--db", stored)[None]
    replay = json.loads(arena("replay", "1", "--analysis", "-o", "json", "--db", stored).out)
    moment, decision = replay["moments"][3], replay["analysis"]["decisions"][3]
    assert found["seat"] == moment["seat"]
    actions = found["actions"]
    given = max(actions.values()) - actions[moment["action"]]
    assert given == pytest.approx(decision["given_away"])
    text = arena("odds", "1.1.1.1", "--move", "3", "--db", stored).out
    assert f"{moment['action']}: set won " in text
    rows = arena("odds", "1.1.1.1", "--move", "3", "-o", "csv", "--db", stored).out.splitlines()
    assert rows[0] == "event,outcome,odds,approximate"
    assert len(rows) == len(found["odds"]) + 1


def test_what_does_not_go_is_refused_in_a_line(arena, stored):
    for words, error in (
        (("pazaak",), "a position needs the own table: own='10 4'"),
        (("pazaak", "own=11"), "own: a card of the deck is 1 to 10, not 11"),
        (("pazaak", "own=x"), "own: expected a card on a table such as 10 or ±3:-3, not 'x'"),
        (("pazaak", "own=10", "stands=maybe"), "unknown answer to stands 'maybe'; "),
        (("pazaak", "own=10", "sets=3:0"), "sets=3:0: expected the sets won so far, such as 1:0"),
        (("pazaak", "mine=10"), "unknown key 'mine' of a position; choices: "),
        (("pazaak", "own"), "'own': write every key of the position once, as key=value"),
        (("pazaak", "own=9", "hand=+9"), "no card '+9'; the cards are "),
        (("pazaak", "own=9", "--move", "1"), "--move is of a match: "),
        (("sabacc", "hand="), "a position needs a hand of 1 to 5 cards: "),
        (("sabacc", "hand=Idiot", "seen=Idiot, Idiot"), "the deck has no more Idiot: "),
        (("sabacc", "hand=Idiot", "rivals=9"), "rivals=9: expected 1 to 5 numbers of cards"),
        (("chess", "own=1"), "unknown game 'chess'; choices: "),
        (("1.1.1.1",), "of a match give --move, and neither a position nor --ruleset"),
        (("1.1.1.1", "--move", "999"), "there is no decision 999: the match has "),
    ):
        answer = arena("odds", *words, "--db", stored)
        assert (answer.code, answer.out) == (2, ""), words
        assert answer.err.startswith(f"arena: {error}"), answer.err
        assert answer.err.count("\n") == 1
