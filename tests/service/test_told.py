"""Events and verdicts as sentences: names, and "You" with the right form of the verb."""

import pytest

from arena.core.scene import Fact, Scene, Verdict
from arena.games.pazaak.engine.history import EVENTS as PAZAAK_EVENTS
from arena.games.sabacc.engine.history import EVENTS as SABACC_EVENTS
from arena.service.match.replay_text import told, voice

NAMES = ("ann", "bob", "cid")
TOTALS = Scene(facts=(Fact("total", 18, 0, "large"), Fact("total", 14, 1, "large")))
TABLE = Scene(facts=tuple(Fact("chips", 9, seat) for seat in (0, 1, 2)))


@pytest.mark.parametrize(
    ("text", "theirs", "yours"),
    [
        ("seat 0: draws 6", "ann draws 6", "You draw 6"),
        ("seat 0: play ±4 as -4", "ann plays ±4 as -4", "You play ±4 as -4"),
        ("seat 0: end turn", "ann ends turn", "You end turn"),
        ("seat 0: stands by rule", "ann stands by rule", "You stand by rule"),
        ("seat 0: passes", "ann passes", "You pass"),
        ("seat 0: pass", "ann passes", "You pass"),
        ("seat 0: raises, putting 4", "ann raises, putting 4", "You raise, putting 4"),
        ("seat 0: exchanges 2 cards", "ann exchanges 2 cards", "You exchange 2 cards"),
        ("seat 0: goes all in with 3", "ann goes all in with 3", "You go all in with 3"),
        (
            "seat 0: puts 3 and demands the exchange",
            "ann puts 3 and demands the exchange",
            "You put 3 and demand the exchange",
        ),
        (
            "seat 0: carries 9 over to the next hand: nobody won them",
            "ann carries 9 over to the next hand: nobody won them",
            "You carry 9 over to the next hand: nobody won them",
        ),
        ("seat 0: is taken out", "ann is taken out", "You are taken out"),
        (
            "seat 0: cheats: turns the sign of a hand card",
            "ann cheats: turns the sign of a hand card",
            "You cheat: turn the sign of a hand card",
        ),
        ("seat 0 wins set 1", "ann wins set 1", "You win set 1"),
        ("seat 0 and seat 1 share hand 2", "ann and bob share hand 2", "You and bob share hand 2"),
        ("seat 0's card beats seat 1's", "ann's card beats bob's", "Your card beats bob's"),
        (
            "seat 0 drew 10 and stood at 24, above 20",
            "ann drew 10 and stood at 24, above 20",
            "You drew 10 and stood at 24, above 20",
        ),
        (
            "23 beats 21; seat 0 wins the side pot of 8",
            "23 beats 21; ann wins the side pot of 8",
            "23 beats 21; you win the side pot of 8",
        ),
        ("nobody wins hand 3", "nobody wins hand 3", "nobody wins hand 3"),
        ("seat 7: draws 2", "seat 7: draws 2", "seat 7: draws 2"),
    ],
)
def test_events_and_verdicts_are_told_with_names_and_to_the_reader(text, theirs, yours):
    assert told(text, NAMES) == theirs
    assert told(text, NAMES, 0) == yours


def test_every_event_of_our_games_is_told_in_the_second_person():
    texts = [str(event) for event in PAZAAK_EVENTS if event and event.seat == 0]
    texts += [f"seat 0: {text}" for _, text in SABACC_EVENTS.values()]
    seen = {told(text, NAMES, 0).split()[1].strip(",") for text in texts}
    assert seen == {
        *("draw", "start", "end", "stand", "play", "win", "deal", "put", "pass", "exchange"),
        *("show", "fold", "check", "call", "bet", "raise", "go", "roll", "swap", "lay", "get"),
        *("carry", "score", "reshuffle", "are"),
    }
    them = {told(text, NAMES).split()[1].strip(",") for text in texts}
    assert all(verb.endswith("s") for verb in them)


@pytest.mark.parametrize(
    ("events", "scene", "you", "line"),
    [
        (("seat 0: end turn", "seat 1: draws 5"), TOTALS, None, "bob draws 5 and has 14"),
        (("seat 1: end turn", "seat 0: draws 6"), TOTALS, 0, "You draw 6 and have 18"),
        (("seat 1: stand",), TOTALS, 0, "bob stands and has 14"),
        (("seat 2: puts 7",), TABLE, 0, "cid puts 7"),
        (("seat 2: puts 1", "seat 0: puts 1", "seat 1: puts 1"), TABLE, None, "all put 1"),
        (("seat 2: passes", "seat 0: passes"), TABLE, 0, "cid and you pass"),
        (("seat 2: folds", "seat 0: passes"), TABLE, 0, "You pass"),
        (("the deck is empty",), TABLE, 0, "the deck is empty"),
        ((), TABLE, 0, ""),
        (("seat 1: draws 5",), None, None, "bob draws 5"),
    ],
)
def test_the_voice_says_what_happened_last(events, scene, you, line):
    assert voice(events, scene, NAMES, you) == line


def test_a_verdict_is_told_to_who_won():
    verdict = Verdict("match", (1,), "", "1 : 3")
    assert told(verdict.headline, NAMES, 1) == "You win the match"
