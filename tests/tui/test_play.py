"""The table in the terminal: whole matches by keyboard, and what the screen shows."""

from __future__ import annotations

import pytest
from arena_results.store.queries import summary

from arena.core.choices import Choice
from arena.core.outcome import Termination
from arena.core.record import MatchKey
from arena.plugins.registry import Registry
from arena.service.match.person_choices import labels, letters, numbered
from arena.service.match.replays import Numbers, stored_match, verify
from arena.service.run.person.career import new_career, open_career
from arena.service.run.person.exhibition import Seats
from arena.service.storage.databases import open_database
from arena.tui.play import PlayApp
from arena.tui.table import Table
from tests.tui.screens import same_as_stored, text_of, until, walk

SIZES = [(80, 24), (120, 40)]
NARROW = pytest.mark.thorough("a wider window; the match above has both", everyday=["80x24"])


@pytest.fixture(scope="module")
def registry():
    return Registry()


@pytest.fixture
def database(tmp_path):
    with open_database(f"sqlite:///{tmp_path / 'a.db'}", create=True) as database:
        yield database


@pytest.fixture
def table(registry, database):
    """Makes the table of a match of which the deal is known."""

    def make(*bots, loadout="", hints=False, seat=0, **keys):
        seats = Seats(bots=bots, seat=seat, loadout=loadout)
        return Table(registry, database, seats, {"game": "pazaak", "seed": 5, **keys}, hints)

    return make


def asked(app, number=1):
    return lambda: app._request is not None and app._request.number >= number


def over(app):
    return lambda: app._match is not None and "quit" in text_of(app)


async def play_out(pilot, key="1"):
    """Takes the first action of every decision, and the least of every amount, to the end."""
    app, held = pilot.app, []
    while app._match is None:
        await until(pilot, lambda: app._request is not None or app._match is not None)
        await go_on(pilot, held)
        if app._request is None:
            break
        number = app._request.number
        await pilot.press(*(["enter"] if app._request.offer is not None else [key]))
        if app._amount is not None or app._typed:
            await pilot.press("enter")
        await until(
            pilot,
            lambda number=number: (
                app._match is not None
                or (app._request is not None and app._request.number > number)
            ),
        )
    await until(pilot, lambda: app._match is not None)
    await go_on(pilot, held)
    await until(pilot, over(app))
    return held


async def go_on(pilot, held):
    """Goes on from every scene that is held, and notes its verdict as the screen tells it."""
    while pilot.app._held:
        await until(pilot, lambda: "go on" in text_of(pilot.app))
        held += [line[2:].strip() for line in text_of(pilot.app).splitlines() if line[:1] == "★"]
        left = len(pilot.app._held)
        await pilot.press("space")
        await until(pilot, lambda left=left: len(pilot.app._held) < left)


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_a_match_of_pazaak_by_keyboard(table, registry, database, size):
    app = PlayApp(table("counter", hints=True))
    name = f"pazaak-{size[0]}x{size[1]}"

    async def steps(pilot):
        await until(pilot, asked(app))
        same_as_stored(app, f"{name}-loadout")
        await pilot.press("enter")
        await until(pilot, asked(app, 2))
        same_as_stored(app, f"{name}-table")
        await pilot.press("h")
        await until(pilot, lambda: "set won" in text_of(app))
        same_as_stored(app, f"{name}-odds")
        await pilot.press("escape")
        if size == SIZES[0]:
            held = await play_out(pilot, "s")
            assert len(held) >= 3  # sets
            assert all("set " in line for line in held)
            assert "the match" in text_of(app)
            assert "Replay it: arena" in text_of(app)
        await pilot.press("q", "y")

    walk(app, steps, size)
    if size != SIZES[0]:
        return
    match = stored_match(registry, database, 1, MatchKey(1, 1, 1))
    assert match.outcome.termination is Termination.RULES
    assert app.closing.endswith(f"Replay it: arena replay 1.1.1.1{database.option}")
    assert verify(registry, database, Numbers(1)).differs == ""


@NARROW
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_a_table_of_four_by_keyboard(table, registry, database, size):
    keys = {"game": "sabacc", "ruleset": "old_republic(mode=chips,hands=1)"}
    app = PlayApp(table("target-total", "cautious-folder", "random", seat=2, **keys))
    name = f"sabacc-{size[0]}x{size[1]}"

    async def steps(pilot):
        await until(pilot, asked(app))
        same_as_stored(app, f"{name}-table")
        await pilot.press("1")
        same_as_stored(app, f"{name}-amount")
        await pilot.press("9", "9", "9", "enter")
        assert "an amount from" in text_of(app)
        await pilot.press("escape")
        if size == SIZES[0]:
            await play_out(pilot)

    walk(app, steps, size)
    if size != SIZES[0]:
        return
    match = stored_match(registry, database, 1, MatchKey(1, 1, 1))
    assert match.names[2] == "human"
    assert match.outcome.termination is Termination.RULES
    assert not match.outcome.expelled


def test_the_same_deal_again_with_the_seats_swapped(table, registry, database):
    app = PlayApp(
        table("random with hard", loadout="easy", seed=None, ruleset="standard(max_sets=1)")
    )

    async def steps(pilot):
        await until(pilot, asked(app))
        await play_out(pilot, "s")
        await pilot.press("r")
        await until(pilot, lambda: app._match is None and asked(app)())
        await play_out(pilot, "s")

    walk(app, steps)
    first, again = (stored_match(registry, database, id, MatchKey(1, 1, 1)) for id in (1, 2))
    assert first.record.seed == again.record.seed
    assert first.names == again.names[::-1] == ("human with easy", "random with hard")
    assert summary(database, 2).key == summary(database, 1).key


def test_leaving_is_asked_for_and_loses(table, registry, database):
    app = PlayApp(table("random", loadout="hard"))

    async def steps(pilot):
        await until(pilot, asked(app))
        await pilot.press("h")
        assert "odds are shown with --hints" in text_of(app)
        await pilot.press("question_mark")
        assert "take the action of that number" in text_of(app)
        await pilot.press("escape", "q", "n")
        assert app._match is None
        await pilot.press("q", "y")
        await until(pilot, over(app))
        await pilot.press("q")

    walk(app, steps)
    match = stored_match(registry, database, 1, MatchKey(1, 1, 1))
    assert (match.outcome.termination, match.outcome.offender) == (Termination.LEFT, 0)
    assert app.closing.startswith("You have lost, 0 : 0\n")


def test_a_loadout_that_is_refused_is_asked_again(table):
    app = PlayApp(table("random"))

    async def steps(pilot):
        await until(pilot, asked(app))
        assert "Esc: keys" in text_of(app)
        await pilot.press("ctrl+u", "+", "9", "enter")
        assert "+9" in text_of(app).splitlines()[-1]
        assert app._request.number == 1
        await pilot.press("escape", "question_mark")
        assert "take the action of that number" in text_of(app)
        await pilot.press("escape", "enter", "ctrl+u", *"hard")
        await pilot.press("ctrl+c")
        assert "Leave the table?" in text_of(app)
        await pilot.press("n", "enter")
        await until(pilot, asked(app, 2))
        await pilot.press("q", "y")
        await until(pilot, over(app))

    walk(app, steps)


def test_letters_stand_for_the_only_choice_that_begins_so():
    texts = ["end turn", "stand", "play +1", "play +2", "quit", "hold"]
    choices = [Choice(text) for text in texts] + [Choice("raise {}", 2, 40)]
    assert letters(choices) == {"e": 0, "s": 1, "r": 6}
    assert labels(choices)[-1] == "7 raise 2 to 40 [r]"


@pytest.mark.parametrize(
    ("typed", "count", "found"),
    [
        ("3", 7, (2, "")),
        ("1", 16, (None, "1")),
        ("12", 16, (11, "")),
        ("2", 16, (1, "")),
        ("17", 16, (None, "")),
        ("0", 5, (None, "")),
    ],
)
def test_numbers_wait_for_a_second_digit_where_there_may_be_one(typed, count, found):
    assert numbered(typed, count) == found


@pytest.mark.thorough("tests/service/test_career.py plays careers; matches above go by keyboard")
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_a_career_match_with_auxiliary_hand_and_cheats_by_keyboard(registry, tmp_path, size):
    file = tmp_path / "me.json"
    rules = "standard(auxiliary=true,cheats=true,skill=100,cheat_chance=100,cheat_step=0)"
    new_career(file, str(tmp_path / "a.db"), ruleset=rules, seed=9)
    name = f"career-{size[0]}x{size[1]}"
    with open_career(file, registry) as career:

        def playing(person, on_begin):
            return career.play("novice", 10, person, loadout="good", on_begin=on_begin)[0]

        seats = career.seats("novice", "good", 600)
        app = PlayApp(
            Table(registry, career.database, seats, {}, playing=playing, note="Career, wager 10")
        )

        async def steps(pilot):
            async def press(key):
                number = app._request.number
                await pilot.press(key)
                await until(pilot, lambda: app._amount is not None or asked(app, number + 1)())

            await until(pilot, asked(app))
            await until(pilot, lambda: "auxiliary hand" in text_of(app))
            await press("a")
            await until(pilot, lambda: "swap" in text_of(app))
            same_as_stored(app, f"{name}-auxiliary")
            await press("2")
            await until(pilot, lambda: "cheat [c]" in text_of(app))
            await press("c")
            await until(pilot, lambda: "alter own" in text_of(app))
            same_as_stored(app, f"{name}-cheats")
            await pilot.press("2")
            await until(pilot, lambda: app._amount is not None)
            number = app._request.number
            await pilot.press("backspace", "7", "enter")
            await until(pilot, asked(app, number + 1))
            assert app._scene.value("total", 0) == 7
            await play_out(pilot, "2")
            assert "same deal" not in text_of(app)
            await pilot.press("r")
            await pilot.press("q")

        walk(app, steps, size)
        assert app.error is None
        (played,) = career.career.matches
        assert played.purse == {"won": 110, "lost": 90, "drawn": 100}[played.result]
        assert verify(registry, career.database, Numbers(1)).differs == ""
