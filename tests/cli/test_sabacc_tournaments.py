"""Six bots at Sabacc, in every variant and every mode, by the command line in real processes."""

from __future__ import annotations

import pytest

from arena.core.outcome import Termination
from arena.games.sabacc.cards.variants import VARIANTS
from arena.games.sabacc.game import Sabacc
from arena.match.replay import verify
from tests.cli.tournament_runs import Place

GAME = Sabacc()
STACK = 100
FIELD = (
    "random",
    "target-total(at=16)",
    "target-total(at=20)",
    "cautious-folder",
    "cautious-folder(late=12)",
    "exact-drawer",
)
MODES = {"showdown": "hands=2", "chips": "hands=2", "points": "target=60"}
MORE = (
    "card_exchange(mode=chips,hands=2)",
    "variable(mode=chips,hands=2,dice=true)",
    "variable(mode=points,target=60)",
    "old_republic(mode=chips,hands=2,betting=alternating)",
    "old_republic(mode=chips,hands=2,betting=poker)",
    "old_republic(mode=chips,hands=3,short_stack=all_in)",
)
REBEL = """
from arena import Bot


class Rebel(Bot):
    \"\"\"Puts chips that it has not got, at its second decision.\"\"\"

    asked = 0

    def act(self, observation):
        self.asked += 1
        if self.asked == 2:
            return self.context.game.notation.action("put 10000")
        return observation.legal_actions[0]
"""


@pytest.fixture
def place(tmp_path):
    return Place(tmp_path)


def run(place, ruleset, bots, *words):
    named = [word for bot in bots for word in ("--bot", bot)]
    seats = ("--format", "tables", "--seats", str(len(bots)), "--games", str(len(bots)))
    game = ("--game", "sabacc", "--ruleset", ruleset, "--seed", "11", "-o", "json")
    answer = place.arena("tournament", "run", *game, *seats, *named, *words)
    assert answer.code == 0, answer.err
    return answer.document


@pytest.mark.parametrize(
    "ruleset",
    [f"{variant}(mode={mode},{more})" for variant in VARIANTS for mode, more in MODES.items()]
    + [*MORE],
)
@pytest.mark.thorough(
    "each mode plays every day; tests/bots play every variant",
    everyday=[
        *(
            "old_republic(mode=showdown,*",
            "cloud_city(mode=chips,*",
            "crseih_station(mode=points,*",
        ),
        *("card_exchange*", "*dice=true*", "*short_stack*"),
    ],
)
def test_six_bots_finish_a_tournament_with_every_chip_in_its_place(place, ruleset):
    made = run(place, ruleset, FIELD, "--concurrency", "1")
    assert made["tournament"]["status"] == "finished"
    assert [line["losses_by_cause"] for line in made["standings"]] == [{}] * len(FIELD)
    played = place.played()
    assert len(played) == len(FIELD)
    for match in played:
        assert match.record.outcome.termination is Termination.RULES
        assert verify(GAME, match.record) > 0
        if "chips" in ruleset:
            assert sum(match.record.outcome.scores) == STACK * len(FIELD)


def test_an_illegal_stake_folds_its_bot_for_good_and_the_others_play_on(place):
    (place.folder / "rebel.py").write_text(REBEL)
    bots = ("rebel.py:Rebel", "target-total(at=16)", "target-total(at=20)", "cautious-folder")
    made = run(place, "old_republic(mode=chips,hands=3)", bots, "--trust", "rebel.py")
    rows = {line["name"]: line for line in made["standings"]}
    assert rows["rebel:Rebel"]["losses_by_cause"] == {"illegal action": 4}
    assert rows["rebel:Rebel"]["average_place"] == 4
    for match in place.played():
        ending = match.record.outcome
        seat = next(s for s, key in enumerate(match.record.seats) if key.startswith("rebel"))
        assert [fault.seat for fault in ending.expelled] == [seat]
        assert ending.termination is Termination.RULES
        assert ending.returns[seat] == -1
        assert sum(ending.scores) == STACK * len(bots)
        assert ending.scores[seat] > 0
        assert verify(GAME, match.record) > 0


@pytest.mark.thorough("test_formats.py plays tournaments with several")
def test_the_number_of_workers_changes_nothing(tmp_path):
    outcomes = []
    for workers in ("1", "2"):
        folder = tmp_path / workers
        folder.mkdir()
        place = Place(folder)
        run(place, "variable(mode=chips,hands=3,dice=true)", FIELD, "--concurrency", workers)
        outcomes.append(place.outcome())
    assert outcomes[0] == outcomes[1]
