"""Pictures of every page of the site, to be looked at: ``make screenshots PAGES=all``.

python -m tests.web.screenshots FOLDER [PART-OF-A-NAME ...]

A database with tournaments of every kind is played once and kept in the folder.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import trio
from arena_results.bots.authors import new_token
from arena_results.bots.uploads import UploadState, decide, receive, take_next
from arena_results.schema.rows import TournamentSummary
from arena_results.store.queries import tournaments
from arena_tournaments.spec.keys import TournamentSpec

import arena
from arena.plugins.registry import Registry
from arena.service.league.league_file import LeagueSpec
from arena.service.league.run import LeagueRun
from arena.service.storage.databases import open_database
from tests.web.browser import WIDTHS, Visit, chromium, visit
from tests.web.served import served

HOUSE = ("optimal", "counter", "hand-saver", "stand(at=17)", "stand(at=15)", "random")
LEAGUE = LeagueSpec(
    name="Cantina league",
    house=HOUSE,
    anchors={"stand(at=17)": 1500.0},
    tournament=TournamentSpec(format_options={"within": 150}),
)
SCHEMES = ("light", "dark")
NOW = datetime.now(UTC)


class Stands(arena.Bot):
    """Stands at a total; above another it breaks."""

    def __init__(self, at: int, breaks: int = 99) -> None:
        self.at, self.breaks = at, breaks

    def act(self, observation):
        if observation.total >= self.breaks:
            raise ValueError("no move for this total")
        end, stand, *_ = observation.legal_actions
        return stand if observation.total >= self.at else end


class Folds(arena.Bot):
    """Raises at its fourth decision of a match."""

    asked = 0

    def act(self, observation):
        self.asked += 1
        if self.asked == 4:
            raise ValueError("the fourth decision")
        return observation.legal_actions[0]


def play(file: Path) -> None:
    """Plays a tournament of every kind, and two that are not over."""
    broken = arena.PythonBot(partial(Stands, 18, 16), name="broken", version="2", author="Ann")
    careful = [
        arena.PythonBot(partial(Stands, at), name="careful", version=version, author="Bob")
        for at, version in ((14, "1.0"), (16, "1.1"), (18, "2.0"))
    ]
    sabacc = {"game": "sabacc", "ruleset": "old_republic(mode=chips,hands=2)"}
    sabacc |= {"seats": 4, "format": "tables"}
    table = ["target-total", "cautious-folder", "random", arena.PythonBot(Folds, name="folds")]
    field = [*HOUSE, broken]
    with arena.open_database(file) as db:
        db.run([*field, careful[0]], format="swiss", rounds=4, games=6, seed=5, name="Autumn Swiss")
        db.run([*field, careful[1]], format="knockout", games=4, seed=3, third_place=True,
               name="Cantina cup")  # fmt: skip
        db.run(table, games=16, seed=2, name="Four at a table", **sabacc)
        db.run([*field, careful[2]], games=20, seed=4, name="Everybody meets everybody")
        db.run(HOUSE, format="double-elimination", games=4, seed=6, name="Two lives")
        stages = [{"format": "swiss", "rounds": 3}, {"format": "knockout", "take": 4}]
        db.run(HOUSE, stages=stages, games=4, seed=8, name="Swiss, then knockout")
        db.run(field, format="swiss", rounds=4, games=2, pause_after_round=2, name="Not over yet")
        db.run(HOUSE, format="knockout", games=2, pause_after_round=1, name="Quarter finals")


def join(url: str) -> None:
    """Stores a season of a league, authors, and submissions in every state."""
    with open_database(url) as database:
        number = trio.run(LeagueRun(Registry(), database, LEAGUE).begin_season)
    with arena.open_database(url) as db:
        db.resume(number)
    with open_database(url) as database:
        states = (
            (UploadState.ENTERED, "careful@2.0", "careful 2.0 is entered"),
            (UploadState.REFUSED, "", "bot.py: imports socket, which no bot may"),
            (UploadState.FAILED, "", "the qualification took more than 300 s"),
        )
        for name in ("Ann", "Bob"):
            new_token(database, name, NOW)
            for state, bot, text in states:
                receive(database, name, "careful.py", b"...", LEAGUE.limits.uploads, NOW)
                taken = take_next(database, NOW, 9)
                assert taken is not None
                decide(database, taken[0].id, state, NOW, bot=bot, text=text)
        receive(database, "Bob", "newer.zip", b"...", LEAGUE.limits.uploads, NOW)


def addresses(url: str) -> Iterator[tuple[str, str]]:
    """Yields the names and addresses of all pages."""
    with open_database(url) as database:
        found = tournaments(database)
    yield from (
        ("home", "/"), ("home-search", "/?q=cup&sort=-matches"), ("bots", "/b"),
        ("league", "/league"), ("queue", "/queue"), ("submit", "/submit"),
        ("submission", "/s/1"), ("submission-refused", "/s/2"), ("submission-waiting", "/s/7"),
        ("leaderboard", "/g/pazaak/standard"),
        ("leaderboard-amount", "/g/sabacc/old_republic(hands=2,mode=chips)"),
        ("bot", "/b/counter"), ("bot-versions", "/b/careful"), ("bot-broken", "/b/broken"),
        ("bot-unplayed", "/b/exact-drawer"),
        ("submit-forgotten", "/submit?after=login"), ("play", "/play"),
        ("play-sabacc", "/play?game=sabacc&hints=yes"),
        ("missing", "/t/99"), ("missing-view", "/m/1.1.1.1?view=seat7"),
    )  # fmt: skip
    for each in found:
        yield from of_tournament(each)


def of_tournament(about: TournamentSummary) -> Iterator[tuple[str, str]]:
    """Yields the pages of a tournament."""
    name = f"t{about.id}-{about.name.lower().replace(' ', '-').replace(',', '')}"
    for part in (
        "",
        "/why",
        "/crosstable",
        "/rounds",
        "/matches",
        "/charts",
        "/rulings",
        "/projector",
    ):
        yield name + part.replace("/", "-"), f"/t/{about.id}{part}"
    yield f"{name}-match", f"/m/{about.id}?move=6"
    yield f"{name}-match-all", f"/m/{about.id}?view=all&move=9"


def take(folder: Path, wanted: Sequence[str]) -> None:
    """Takes the pictures: each page in light and dark, at three widths."""
    file = folder / "pictures.db"
    url = f"sqlite:///{file}"
    if not file.exists():
        folder.mkdir(parents=True, exist_ok=True)
        play(file)
        join(url)
    with chromium() as browser, served(url, league=LEAGUE, play=True) as address:
        for name, path in addresses(url):
            if wanted and not any(part in name for part in wanted):
                continue
            for scheme in SCHEMES:
                with visit(browser, address + path, color_scheme=scheme) as seen:
                    picture(seen, folder / f"{name}-{scheme}")
                    if path.startswith("/play"):
                        seen.page.get_by_role("button", name="Sit down").click()
                        seen.page.locator(".turn button").first.wait_for()
                        picture(seen, folder / f"{name}-table-{scheme}")
                    if seen.problems:
                        print(f"{path}: {seen.problems}")


def picture(seen: Visit, name: Path) -> None:
    """Takes pictures of an open page, one of each width."""
    for width in WIDTHS:
        seen.page.set_viewport_size({"width": width, "height": 900})
        seen.page.screenshot(path=f"{name}-{width}.png", full_page=True)


if __name__ == "__main__":
    take(Path(sys.argv[1]), sys.argv[2:])
