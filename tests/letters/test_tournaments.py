"""``arena tournament letters``: compared with what the tournament's documents and matches say."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import arena
from arena.pages.letter import INDEX, WIDTH
from tests.cli.in_process import run_in_process

SECRET = "Bob's secret"


class Calm(arena.Bot):
    """Ends its turns."""

    def act(self, observation):
        return observation.legal_actions[0]


class Sore(arena.Bot):
    """Raises at its third decision, and names a folder of the machine."""

    asked = 0

    def act(self, observation):
        self.asked += 1
        if self.asked == 3:
            raise ValueError(f"{SECRET} is in /srv/op/bots/x.txt")
        return observation.legal_actions[0]


class Rule(arena.Bot):
    """Answers with something that is no action of the game."""

    def act(self, observation):
        return 77


class Slow(arena.Bot):
    """Needs more time than it has."""

    def act(self, observation):
        time.sleep(0.6)
        return observation.legal_actions[0]


FAULTY = {
    "calm": (Calm, "Ann", None),
    "sore": (Sore, "Bob", "crash"),
    "rule": (Rule, "Bob", "illegal action"),
    "slow": (Slow, "Cy", "timeout"),
}
"""Bots with their authors, and what they lose by."""
BOTS = [arena.PythonBot(make, name, author=author) for name, (make, author, _) in FAULTY.items()]


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A database with a round robin of bots that break matches, and ``random`` without author."""
    file = tmp_path_factory.mktemp("letters") / "arena.db"
    with arena.open_database(file) as db:
        db.run([*BOTS, "random"], games=2, name="cup", decision_seconds=0.5, seed=1)
    return file


@pytest.fixture
def cup(played):
    with arena.open_database(played) as db:
        yield db.tournament(1)


def by_bot(letters):
    return {each["standing"]["name"]: each for letter in letters for each in letter["entries"]}


def check(cup, letters):
    """Compares letters with the document and the matches of their tournament."""
    shown = cup.document()
    found = by_bot(letters)
    assert found.keys() == {row["name"] for row in shown["standings"]}
    stored = cup.summary.id
    for row in shown["standings"]:
        entry = found[row["name"]]
        standing = entry["standing"]
        same = {key: value for key, value in row.items() if "adjusted" not in key}
        assert {key: standing[key] for key in same} == same
        assert row["won"] + row["drawn"] + row["lost"] == entry["matches"]
        assert entry["of"] == len(found)
        assert {each["cause"]: each["losses"] for each in entry["losses"]} == row["losses_by_cause"]
        own = [each for each in cup.matches() if row["name"] in names(each)]
        assert entry["matches"] == len(own)
        for each in entry["losses"]:
            faults = [
                loss
                for loss in cup.losses()
                if (loss["name"], loss["cause"]) == (row["name"], each["cause"])
            ]
            assert len(faults) == each["losses"]
            assert (faults[0]["match"], faults[0]["move"]) == (each["match"], each["move"])
        assert entry["lost_on_play"] == row["lost"] - sum(row["losses_by_cause"].values())
        given_away = [each["given_away"] for each in entry["worst"]]
        assert given_away == sorted(given_away, reverse=True)
        assert len(given_away) <= 3
        for each in entry["worst"]:
            number, *key = map(int, each["match"].split("."))
            assert number == stored
            moment = cup.match(*key).moments()[each["move"]]
            assert moment.action == each["action"] != each["better"]
    return found


def names(match):
    return [value for key, value in match.items() if key.startswith("name")]


def test_it_is_verified_and_letters_say_what_its_matches_say(cup, played):
    with arena.open_database(played) as db:
        assert db.verify(1)["verified"]
    letters = cup.letters(url="https://arena.example/")
    found = check(cup, letters)
    assert [each["author"] for each in letters].count("Bob") == 1
    assert {each["author"] for each in letters} == {"Ann", "Bob", "Cy", None}
    for name, (_, author, cause) in FAULTY.items():
        (letter,) = [each for each in letters if name in each["bots"]]
        assert letter["author"] == author
        losses = found[name]["losses"]
        assert [each["cause"] for each in losses] == ([cause] if cause else [])
        for each in losses:
            assert each["replay"] in letter["text"]
            link = f"https://arena.example/m/{each['match']}?view=all&move={each['move']}\n"
            assert link in letter["text"]
    assert found["sore"]["losses"][0]["why"].startswith(f"ValueError: {SECRET} is in x.txt (")
    assert found["slow"]["slowest_ms"] > 250
    assert found["calm"]["matches"] == 8


def test_letters_are_short_narrow_and_no_business_of_others(cup):
    for letter in cup.letters():
        lines = letter["text"].splitlines()
        assert lines[0] in ("Hello,", f"Hello {letter['author']},")
        assert len(lines) <= 60 * len(letter["bots"])
        assert all(len(line) <= WIDTH for line in lines if "arena " not in line)
        assert "/srv" not in letter["text"]
        assert (SECRET in json.dumps(letter)) == (letter["author"] == "Bob")


def test_decisions_are_searched_only_where_they_are_asked_for(cup):
    few, none = by_bot(cup.letters(decisions=1)), by_bot(cup.letters(decisions=0))
    assert few["calm"]["searched"] == 1
    assert few["calm"]["worst"]
    assert {each["searched"] for each in none.values()} == {0}
    assert "worst decisions" not in "".join(each["text"] for each in cup.letters(decisions=0))


def test_the_command_gives_the_same_as_python(cup, played, tmp_path):
    def run(*words):
        return run_in_process(
            ("tournament", "letters", "1", *words, "--db", str(played)),
            tmp_path, {"PATH": "", "HOME": str(tmp_path)},
        )  # fmt: skip

    expected = json.loads(json.dumps(cup.letters(decisions=1)))
    code, out, err = run("--decisions", "1", "-o", "json")
    assert code == 0
    assert json.loads(out) == expected
    assert err.startswith("Searching 5 lost matches for bad decisions, at most 1 of each bot ...\n")
    assert run("--decisions", "1", "--dir", "letters")[:2] == (0, "")
    written = json.loads((tmp_path / "letters" / INDEX).read_text("utf-8"))
    files = {each.pop("file") for each in written}
    assert files == {"random.txt", "Ann.txt", "Bob.txt", "Cy.txt"}
    assert written == expected
    code, out, err = run("--decisions", "0")
    assert code == 0
    assert [line for line in out.splitlines() if line.startswith("To: ")][0:2] == [
        f"To: {each['author'] or 'the author of random'}" for each in expected[:2]
    ]
    assert err.startswith("Wrote 4 letters in ")
    for words, message in (
        (("--dir", "letters"), "--dir letters: expected a new or empty folder"),
        (("--url", "x"), "--url x: expected an address such as https://arena.example"),
        (("--decisions", "-1"), "--decisions"),
    ):
        code, out, err = run(*words)
        assert (code, out) == (2, "")
        assert message in err
        assert "Traceback" not in err


def test_until_it_is_finished_nothing_secret_is_said(tmp_path):
    with arena.open_database(tmp_path / "a.db") as db:
        bots = [*BOTS[:2], "random", "stand"]
        db.run(bots, games=2, format="swiss", rounds=3, pause_after_round=1, concurrency=1)
        cup = db.tournament(1)
        letters = cup.letters(url="https://arena.example")
        check(cup, letters)
        text = json.dumps(letters)
        assert cup.summary.key
        for secret in (cup.summary.key, cup.summary.nonce, "view=all"):
            assert secret not in text
        assert {each["searched"] for each in by_bot(letters).values()} == {0}
        for letter in letters:
            assert "It is not finished: 1 of 3 rounds are played." in letter["text"]
            assert " so far: " in letter["subject"]
        db.resume(1, BOTS[:2])
        assert "so far" not in json.dumps(db.tournament(1).letters())


def test_rulings_and_forfeits_are_in_the_letter_of_their_bot(tmp_path):
    with arena.open_database(tmp_path / "a.db") as db:
        bots = ["random", "stand", "stand(at=15)", "counter"]
        keys = {"games": 2, "format": "swiss", "rounds": 3, "seed": 1, "concurrency": 1}
        db.run(bots, pause_after_round=1, **keys)
        organiser = db.organiser(1)
        organiser.withdraw("counter")
        organiser.disqualify("random", "it cheats", void=True)
        db.resume(1)
        cup = db.tournament(1)
        letters = cup.letters(decisions=0)
        found = by_bot(letters)
        for row in cup.document()["standings"]:
            entry = found[row["name"]]
            assert entry["standing"]["rank"] == row["rank"]
            assert row["won"] + row["drawn"] + row["lost"] == entry["matches"]
        assert [text.split(";")[0] for text in found["counter"]["rulings"]] == [
            "counter withdraws before round 2"
        ]
        assert "it cheats" in found["random"]["rulings"][0]
        assert found["stand"]["rulings"] == []
        (letter,) = [each for each in letters if each["bots"] == ["random"]]
        assert "It has played no match that counts." in " ".join(letter["text"].split())
        assert letter["text"].count("it cheats") == 1


TWO = st.fixed_dictionaries(
    {"format": st.sampled_from(["round-robin", "knockout", "gauntlet", "ladder"])}
)
KEYS = st.one_of(
    TWO,
    st.just({"format": "swiss", "rounds": 2}),
    st.just({"format": "double-elimination"}),
    st.just({"format": "league", "within": 500, "rounds": 2}),
    st.just({"format": "adaptive", "matches": 16}),
    st.just({"stages": [{"format": "swiss", "rounds": 1}, {"format": "knockout", "take": 2}]}),
    st.just({"game": "sabacc", "format": "tables", "seats": 3}),
    st.just({"game": "sabacc", "format": "table-swiss", "seats": 3, "rounds": 1}),
    st.just({"game": "sabacc", "format": "round-robin", "scoring": "amount"}),
)
FIELDS = {
    "pazaak": ["random", "stand", "stand(at=15)", *BOTS[:3]],
    "sabacc": ["random", "target-total", "cautious-folder", "target-total(at=20)"],
}


@pytest.mark.thorough("the round robin above; formats are values to letters")
@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(keys=KEYS, seed=st.integers(0, 1000), size=st.integers(2, 6))
def test_letters_of_any_tournament_have_the_right_numbers(tmp_path_factory, keys, seed, size):
    field = FIELDS[keys.get("game", "pazaak")][: max(size, keys.get("seats", 3))]
    with arena.open_database(tmp_path_factory.mktemp("any") / "a.db") as db:
        games = 3 if "seats" in keys else 2
        cup = db.run(field, games=games, seed=seed, concurrency=1, **keys)
        letters = cup.letters(decisions=1)
        found = check(cup, letters)
        reached = {
            row["name"]: row["stage"] for row in cup.document()["standings"] if "stage" in row
        }
        for name, stage in reached.items():
            assert found[name]["stages"][-1]["format"] == stage
