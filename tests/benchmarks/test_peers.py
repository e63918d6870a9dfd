"""Other projects beside ours: what is measured, the page, and what is installed for it."""

from __future__ import annotations

import re

from benchmarks import contenders, peers

LOCK = (peers.ROOT / "benchmarks" / "peers.lock").read_text()
OURS = [each for each in contenders.CONTENDERS.values() if each.project == peers.OURS]


def test_a_contender_of_ours_counts_its_decisions():
    work = contenders.arena("pazaak", "standard", 2, "stand(at=17)", "stand(at=16)")
    assert work() == work() > 10


def test_a_contender_does_its_work_once_a_line():
    with peers.started(peers.LOOP) as process:
        assert peers.rate_of(process) > 0
        assert peers.rate_of(process) > 0
        process.stdin.close()
        assert process.wait() == 0


def test_the_table_is_replaced_and_nothing_else():
    rows = [peers.Row(OURS[0], "1", 200.0, 20.0), peers.Row(OURS[1], "1", 100.0, 5.0)]
    page = f"# Before\n\n{peers.BEGIN}\nold\n{peers.END}\n\nAfter\n"
    once = peers.written(page, peers.table(rows, 0.06))
    assert "| Sabacc for two | views, legality, clock, seeds, records | 100 | 5 | 0.25 |\n" in once
    assert "loop takes 60.0 ms" in once
    assert peers.written(once, "old").replace("\n\nold\n\n", "\nold\n") == page


def test_the_page_has_a_row_for_everything_that_is_measured():
    page = peers.PAGE.read_text()
    for project, game, on, _, compiled in list(contenders.CONTENDERS.values())[1:]:
        name = r"\*\*Arena\*\*" if project == peers.OURS else rf"{project} [\d.]+"
        name += ", compiled" if compiled else ""
        assert re.search(rf"^\| {name} \| {re.escape(f'{game} | {on} |')} [\d,]+ ", page, re.M)


def test_others_are_installed_by_hash_and_from_no_named_host():
    pinned = re.findall(r"^([a-z][a-z-]*)==", LOCK, re.M)
    assert {each.project for each in contenders.CONTENDERS.values()} - {"", peers.OURS} <= {*pinned}
    assert len(re.findall(r"^[a-z].* \\\n    --hash=sha256:", LOCK, re.M)) == len(pinned)
    assert "://" not in LOCK
