"""The organiser's verbs on the command line: pause, set, rename, delete, fork."""

from __future__ import annotations

import signal

import pytest

from tests.cli.tournament_runs import PATIENCE, Place, check_same, until

RUN = (
    "tournament", "run", "--format", "swiss", "--rounds", "2", "--games", "4", "--seed", "7",
    "--bot", "stand(at=17)", "--bot", "mine.py", "--bot", "stand(at=15)", "--bot", "random",
    "--trust", "mine", "--concurrency", "1",
)  # fmt: skip
MINE = """
from arena import Bot

class Mine(Bot):
    def act(self, observation):
        return observation.legal_actions[0]
"""


def make_place(folder, preloaded=None):
    (folder / "mine.py").write_text(MINE)
    return Place(folder, preloaded)


@pytest.fixture
def place(tmp_path, preloaded):
    return make_place(tmp_path, preloaded)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    place = make_place(tmp_path_factory.mktemp("whole"))
    assert place.arena(*RUN).code == 0
    return place.outcome()


def status(place):
    return [row["status"] for row in place.arena("tournament", "list", "-o", "json").document]


def test_a_pause_after_a_round_shows_its_standings_and_pairs_no_other(place, whole):
    answer = place.arena(*RUN, "--pause-after-round", "1", "-o", "json")
    assert answer.code == 0
    assert answer.err.endswith(
        f"Paused. Continue with:\n  arena tournament resume 1 --db {place.url}\n"
    )
    assert answer.document["tournament"]["status"] == "interrupted"
    assert [each["round"] for each in answer.document["rounds"]] == [1]
    assert place.stored() == 8
    answer = place.arena("tournament", "resume", "--pause-after-round", "next")
    assert (answer.code, "Paused" in answer.err) == (0, False)  # no round is left
    check_same(place.outcome(), whole)
    answer = place.arena(*RUN, "--pause-after-round", "soon")
    assert answer.code == 2
    assert "'soon' is neither the number of a round nor 'next'." in answer.err


def test_a_running_tournament_is_paused_and_set_from_another_terminal(place):
    words = ("--games", "1000", "--bot", "slow.py", "--trust", "slow")
    process = place.start(*RUN, *words)
    until(lambda: place.stored() >= 5)
    answer = place.arena("tournament", "set", "1", "--concurrency", "2")
    assert (answer.code, answer.err) == (0, "Tournament 1 is played by 2 workers\n")
    refused = place.arena("tournament", "delete", "1", "--yes")
    assert (refused.code, f"process {process.pid} (arena tournament run" in refused.err) == (
        2,
        True,
    )
    before = place.stored()
    until(lambda: place.stored() > before)
    answer = place.arena("tournament", "pause", "1", "--after", "match")
    assert answer.err == "Tournament 1 pauses when its running matches are finished\n"
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    assert "Paused. Continue with:" in err
    assert "1 of 2 rounds" in out or "0 of 2 rounds" in out
    assert 5 < place.stored() < 2 * 2 * 1000
    assert status(place) == ["interrupted"]


def test_the_first_ctrl_c_finishes_matches_and_the_second_does_not_wait(place):
    slow = MINE.replace("return", "__import__('time').sleep(0.2); return")
    (place.folder / "mine.py").write_text(slow)  # a match takes seconds
    process = place.start(*RUN, "--games", "1000")
    until(lambda: place.stored() >= 1)
    process.send_signal(signal.SIGINT)
    line = ""
    while not line.startswith("Finishing"):
        line = process.stderr.readline()
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=PATIENCE)
    assert line.startswith("Finishing up to ")
    assert line.endswith(" in progress; Ctrl-C again to stop now\n")
    assert process.returncode == 130
    assert err.startswith("Interrupted; everything played is stored. Continue with:\n")


def test_a_changed_bot_is_refused_by_name_and_the_tournament_forked(place):
    assert place.arena(*RUN, "--pause-after-round", "1").code == 0
    (place.folder / "mine.py").write_text(MINE + "# changed\n")
    before = place.file.read_bytes()
    refused = place.arena("tournament", "resume")
    assert (refused.code, refused.out) == (2, "")
    assert "tournament 1 cannot go on: bot mine has changed since the tournament " in refused.err
    assert refused.err.endswith(
        "bring that back, or play the field as it is now in a new tournament: "
        f"arena tournament fork 1 --db {place.url}\n"
    )
    assert place.file.read_bytes() == before
    forked = place.arena("tournament", "fork", "1", "--games", "2", "-o", "json")
    assert forked.code == 0
    cup = forked.document["tournament"]
    assert (cup["id"], cup["status"], cup["seed"], cup["matches"]) == (2, "finished", 7, 8)
    assert (cup["games"], cup["rounds"], cup["format"]) == (2, 2, "swiss")
    assert status(place) == ["interrupted", "finished"]


def test_a_tournament_is_renamed_and_deleted_after_a_question(place):
    assert place.arena(*RUN, "--rounds", "1").code == 0
    answer = place.arena("tournament", "rename", "1", "spring cup")
    assert (answer.code, answer.err) == (0, "Tournament 1 is called 'spring cup'\n")
    process = place.start("tournament", "delete", "1", stdin=-1)
    _, err = process.communicate("n\n", timeout=PATIENCE)
    question = "Delete tournament 1 (spring cup) with its 8 matches? [y/N]:"
    assert (process.returncode, err) == (2, f"{question}Nothing was deleted\n")
    assert status(place) == ["finished"]
    answer = place.arena("tournament", "delete", "1", "--yes")
    assert (answer.code, answer.err) == (0, "Deleted tournament 1 (spring cup)\n")
    assert status(place) == []
    assert place.arena("leaderboard", "-o", "json").document == []
    answer = place.arena("tournament", "show", "1")
    assert (answer.code, answer.err) == (2, "arena: unknown tournament '1'; choices: none\n")
