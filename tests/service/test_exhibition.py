"""Exhibition matches of a person: asked like a bot, stored, verifiable, and never rated."""

from __future__ import annotations

from time import sleep

import msgspec
import pytest
from arena_results.boards.leaderboard import leaderboard
from arena_results.replays.views import view_named
from arena_results.store.queries import summary, tournament, tournaments

import arena
from arena.core.actions import Action
from arena.core.choices import Choice, merged
from arena.core.errors import BadInput
from arena.core.outcome import Termination
from arena.core.parts import Move
from arena.core.scene import draw_text
from arena.plugins.registry import Registry
from arena.service.boards.history import bot_history
from arena.service.boards.profile import profile
from arena.service.lookup.resolver import BotResolver
from arena.service.match.listing import Wanted, find_matches
from arena.service.match.person import HumanSeat, Request
from arena.service.match.replays import Numbers, verify
from arena.service.public.documents import match_rows, public_history
from arena.service.run.person.exhibition import Exhibition, Seats
from arena.service.run.run import last_unfinished, reopen
from arena.service.storage.databases import open_database


@pytest.fixture
def database(tmp_path):
    with open_database(f"sqlite:///{tmp_path / 'a.db'}", create=True) as database:
        yield database


@pytest.fixture(scope="module")
def registry():
    return Registry()


class Obedient:
    """A front end that answers each question at once, with its first choice."""

    def __init__(self, leaves_at: int = 0) -> None:
        self.seat = HumanSeat(self.answer)
        self.asked = []
        self.leaves_at = leaves_at

    def answer(self, request) -> None:
        self.asked.append(request)
        if request.number == self.leaves_at:
            self.seat.leave()
            return
        choice = "" if request.offer is not None else request.choices[0].text
        self.seat.answer(choice.format(request.choices[0].least if request.choices else 0))


def test_a_match_is_asked_stored_and_verified_and_no_leaderboard_counts_it(database, registry):
    front, begun = Obedient(), []
    exhibition = Exhibition(registry, database, Seats(bots=["counter"]), {})
    match = exhibition.play(front.seat, begun.append)
    assert match.number == "1.1.1.1"
    assert match.names == ("human", "counter")
    assert match.outcome.termination is Termination.RULES
    assert match.measurement.nanoseconds[0] == 0 < match.measurement.nanoseconds[1]
    about = summary(database, 1)
    assert about.commitment
    assert about.commitment == begun[0].stored.summary.commitment
    assert verify(registry, database, Numbers(1)).differs == ""
    assert leaderboard(database) == ()
    assert bot_history(registry, database, "counter", 9).matches == 1
    assert public_history(registry, database, "counter").matches == 0
    assert profile(registry, database, "counter").recent.form == ""
    assert match_rows(database, Wanted(bot="counter"), 9) == []
    assert [row["replay"] for row in find_matches(database, Wanted())[1]] == [
        "arena replay 1.1.1.1"
    ]
    assert front.seat.pending is None
    with pytest.raises(BadInput, match="not your turn"):
        front.seat.answer("stand")


def test_the_closest_public_matches_of_a_bot_are_chosen(registry, tmp_path):
    with arena.open_database(tmp_path / "a.db") as db:
        db.match("counter", "stand(at=5)", seed=3, games=1, mirrored=False)  # won without a loss
    wanted = Wanted(bot="counter", closest=1)
    with open_database(f"sqlite:///{tmp_path / 'a.db'}") as database:
        for seed in range(3):
            keys = {"seed": seed}
            Exhibition(registry, database, Seats(bots=["counter"]), keys).play(Obedient().seat)
        (closest,) = find_matches(database, wanted)[1]
        assert closest["tournament"] > 1
        assert [row["tournament"] for row in match_rows(database, wanted, 9)] == [1]


def test_a_question_shows_what_its_seat_sees_and_no_more(database, registry):
    front = Obedient()
    seats = Seats(bots=["counter"], seat=1, loadout="hard")
    match = Exhibition(registry, database, seats, {}).play(front.seat)
    game = match.game
    own = [step for step in match.states() if step.seat == 1]
    assert [each.offer for each in front.asked] == [None] * len(own)
    for step, request in zip(own, front.asked, strict=True):
        view = view_named("seat1", 2)
        assert request.scene == game.board.scene(step.state, view.open_seats)
        assert all(card.hidden for card in request.scene.zone("hand", 0).cards)
        assert [each.text for each in request.choices] == [
            each.text for each in step.state.legal_actions()
        ]
    events = [event for request in front.asked for event in request.events]
    assert events == list(game.notation.events(own[-1].state.observation(1).history))
    text = msgspec.json.encode(front.asked[0].document())
    assert msgspec.json.decode(text, type=Request) == front.asked[0]


def test_the_odds_are_those_of_the_replay(database, registry):
    found = []

    class Asking(Obedient):
        def answer(self, request):
            if request.offer is None:
                found.append(self.seat.odds())
            super().answer(request)

    front = Asking()
    match = Exhibition(registry, database, Seats(bots=["random"]), {}).play(front.seat)
    first = next(step.move for step in match.states() if step.seat == 0)
    assert found[0] == match.odds(first)


def test_leaving_a_match_of_two_loses_it(database, registry):
    match = Exhibition(registry, database, Seats(bots=["random"]), {}).play(Obedient(3).seat)
    outcome = match.outcome
    assert (outcome.termination, outcome.offender) == (Termination.LEFT, 0)
    assert (outcome.returns, outcome.reason) == ((-1.0, 1.0), "left the table")
    assert match.verify() == outcome.move


def test_at_a_table_the_others_play_on(database, registry):
    bots = ["target-total", "cautious-folder", "random"]
    keys = {"game": "sabacc", "ruleset": "old_republic(mode=chips)"}
    front = Obedient(2)
    match = Exhibition(registry, database, Seats(bots=bots, seat=2), keys).play(front.seat)
    assert [(fault.seat, fault.cause) for fault in match.outcome.expelled] == [
        (2, Termination.LEFT)
    ]
    assert match.outcome.termination is Termination.RULES
    assert min(match.outcome.returns) == match.outcome.returns[2]


def test_who_does_not_answer_in_time_loses(database, registry):
    seat = HumanSeat(seconds=0.05)
    match = Exhibition(registry, database, Seats(bots=["random"], seconds=0.05), {}).play(seat)
    assert match.outcome.termination is Termination.TIMEOUT
    assert match.outcome.reason == "over its time: more than 0.05 s for a decision"


def test_a_match_that_was_cut_off_does_not_go_on(database, registry):
    def stop(run):
        raise KeyboardInterrupt

    seats = Seats(bots=["random"])
    with pytest.raises(KeyboardInterrupt):
        Exhibition(registry, database, seats, {}).play(HumanSeat(), stop)
    refused = pytest.raises(BadInput, match="is the match of a person that was cut off")
    with BotResolver(registry, database, resumes=1) as resolver, refused:
        reopen(resolver, tournament(database, 1))
    with pytest.raises(BadInput, match="there is nothing to resume"):
        last_unfinished(database)


def test_the_same_key_is_the_same_deal_from_the_other_seat(database, registry):
    def play(seat, **keys):
        human = Obedient().seat
        table = Seats(bots=["counter with hard"], seat=seat, loadout="easy")
        return Exhibition(registry, database, table, keys).play(human)

    first = play(0)
    again = play(1, key=summary(database, 1).key)
    assert again.record.seed == first.record.seed
    assert again.names == first.names[::-1]
    assert summary(database, 2).commitment is None


def test_untrusted_bots_sit_at_the_table(database, registry, tmp_path):
    (tmp_path / "one.py").write_text(
        "from arena import Bot\n\n\nclass One(Bot):\n"
        "    def act(self, observation):\n        return observation.legal_actions[1]\n"
    )
    seats = Seats(bots=[f"{tmp_path / 'one.py'}"])
    match = Exhibition(registry, database, seats, {"isolation": "process"}).play(Obedient().seat)
    assert match.names == ("human", "one")
    assert match.outcome.termination is Termination.RULES
    assert match.measurement.isolation == "trusted,process"


@pytest.mark.parametrize(
    ("seats", "keys", "says"),
    [
        (Seats(bots=[]), {}, "name at least one bot to play against"),
        (Seats(bots=["random"], seat=2), {}, "there is no seat 2: seats are 0 to 1"),
        (
            Seats(bots=["random"], name="a b"),
            {},
            "the person's name 'a b': expected a name for a bot",
        ),
        (Seats(bots=["random"], name="counter"), {}, "counter"),
        (Seats(bots=["random"]), {"games": 3}, "--games: not available for an exhibition match"),
        (Seats(bots=["random", "counter"]), {}, "pazaak plays at tables of 2, not 3"),
        (Seats(bots=["randm"]), {}, "unknown bot 'randm'"),
        (Seats(bots=["random"], loadout="+9"), {}, r"human with \+9"),
    ],
)
def test_bad_seats_store_nothing(database, registry, seats, keys, says):
    with pytest.raises(BadInput, match=says):
        Exhibition(registry, database, seats, keys).play(Obedient().seat)
    assert not tournaments(database)


def test_answers_are_checked_before_they_are_sent(database, registry):
    refused = []

    class Wrong(Obedient):
        def answer(self, request):
            for text in ("+1 +1", "fly"):
                with pytest.raises(BadInput) as error:
                    self.seat.answer(text)
                refused.append(str(error.value))
            super().answer(request)

    Exhibition(registry, database, Seats(bots=["random"]), {}).play(Wrong(4).seat)
    assert "10 cards" in refused[0]
    assert refused[3].startswith("unknown action 'fly'; choices: end turn, ")


class Slow(arena.Bot):
    def start(self, context):
        sleep(1.2)

    def act(self, observation):
        return observation.legal_actions[1]


def test_a_person_of_a_program_is_not_on_the_match_clock(tmp_path):
    keys = {"format": "exhibition", "games": 1, "mirrored": False, "decision_seconds": 1}
    me = arena.PythonBot(Slow, "jolee", person_seconds=60)
    with arena.open_database(tmp_path / "b.db") as db:
        (row,) = db.match("random", me, **keys).matches()
        assert (row["name1"], row["termination"]) == ("jolee", "rules")
        assert db.leaderboard() == []
        (row,) = db.match("random", Slow, **keys | {"format": "round-robin"}).matches()
        assert (row["name1"], row["termination"]) == ("Slow", "timeout")
    with pytest.raises(BadInput, match="a person's seconds are a number from 0, not 'x'"):
        arena.PythonBot(Slow, "jolee", person_seconds="x")


def test_a_tournament_without_a_person_has_another_format(tmp_path):
    needs = "exhibition is for a match of a person: arena play GAME BOT"
    with arena.open_database(tmp_path / "b.db") as db:
        with pytest.raises(BadInput, match=f"format: {needs}"):
            db.run(["random", "counter"], format="exhibition")
        stages = [{"format": "swiss", "rounds": 1}, {"format": "exhibition", "take": 2}]
        with pytest.raises(BadInput, match=f"stages: {needs}"):
            db.run(["random", "counter"], stages=stages)
        assert db.tournaments() == []


@pytest.mark.parametrize(
    ("error", "cause"), [("Left", "left"), ("OutOfTime", "timeout")], ids=["left", "time"]
)
def test_a_person_of_a_program_can_leave(tmp_path, error, cause):
    class Gone(arena.Bot):
        def act(self, observation):
            raise getattr(arena.PythonBot, error)

    keys = {"format": "exhibition", "games": 1, "mirrored": False}
    with arena.open_database(tmp_path / "b.db") as db:
        me = arena.PythonBot(Gone, "jolee", person_seconds=60)
        (row,) = db.match("random", me, **keys).matches()
    assert (row["name1"], row["termination"]) == ("jolee", cause)


def test_actions_that_differ_by_an_amount_are_one_choice_with_bounds():
    texts = ["fold", "call", *(f"raise {n}" for n in range(2, 40)), "exchange 1", "exchange 1 2"]
    actions = [Action(n, text) for n, text in enumerate(texts)]
    moves = [Move(text.upper(), (0,) if text == "exchange 1" else ()) for text in texts]
    found = list(merged(actions, moves))
    assert found == [
        *(Choice("fold", words="FOLD"), Choice("call", words="CALL")),
        Choice("raise {}", 2, 39, words="RAISE {}"),
        Choice("exchange 1", words="EXCHANGE 1", cards=(0,)),
        Choice("exchange 1 2", words="EXCHANGE 1 2"),
    ]


def test_the_public_view_has_no_card_of_a_person(database, registry):
    front = Obedient()
    match = Exhibition(registry, database, Seats(bots=["random"]), {}).play(front.seat)
    for scene in match.scenes("public"):
        assert "[?]" in draw_text(scene) or not scene.zone("hand", 0).cards
