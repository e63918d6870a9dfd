"""No public function lets anything but ``ArenaError`` out, with whatever arguments."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any, get_args, get_type_hints

import pytest

import arena
from arena.api.common import calls
from arena.api.database.career import Careers
from arena.api.database.organiser import Organiser
from arena.api.database.site import SiteServer
from tests.sizes import volume

ODD = (None, 3, -1, "x", "\ud800", "x\0y", object(), [])[:: volume(1, everyday=2)]
"""Values of which most are wrong anywhere; where one is not, the call has to work."""

NOBODY = {"bots": ["nobody", "stand"], "games": 2}
"""A field that nothing is played with: what is wrong of a tournament is found out before."""

CALLS: dict[Any, dict[str, dict[str, Any]]] = {
    arena: {
        "check_bot": {"bot": "nobody"},
        "check_cases": {"files": "x"},
        "check_game": {"name": "pazaak", "ruleset": "nothing"},
        "check_trf": {"trf": "x"},
        "describe_game": {"name": "pazaak"},
        "doctor": {"executor": "nobody"},
        "dry_run": NOBODY,
        "export": {"rows": [{"a": 1}]},
        "find_matches": {},
        "list_options": {"game": "pazaak"},
        "new_bot": {"name": "class"},
        "new_game": {"name": "class"},
        "open_database": {"create": False},
        "pair_report": {"trf": "x"},
        "play_match": {"bots": ["nobody", "stand"]},
        "report_standings": {"trf": "x"},
        "upgrade_database": {},
        "verify_tournament": {"number": 1},
    },
    arena.league: {
        "check": {"file": "x"},
        "new_token": {"author": "me"},
        "revoke_token": {"token": "x"},
        "submit": {"path": "x", "server": "x", "token": "x"},
        "tokens": {},
    },
    arena.stats: {
        "compare": {"baseline": "nobody", "candidate": "nobody"},
        "elo": {},
        "exploit": {"bot": "nobody"},
        "learn_value": {"game": "pazaak"},
        "odds": {"game": "pazaak"},
        "progress": {"bot": "nobody"},
        "rate": {"file": "x"},
        "sprt": {"wdl": [5, 5, 5], "elo0": 0, "elo1": 5},
    },
    arena.stats.pictures: {
        "chart": {"file": "x"},
        "crosstable": {"number": 1},
        "leaderboard": {"game": "nothing"},
        "replay_page": {"view": "public"},
        "times": {"number": 1},
        "progress": {"bot": "nobody"},
    },
    arena.ResultsDatabase: {
        "bot": {"name": "nobody"},
        "decisions": {"number": 1, "limit": 1},
        "disable_bot": {"name": "nobody"},
        "enable_bot": {"name": "nobody"},
        "export_bot": {"name": "nobody", "folder": "x"},
        "fork": {"number": 1, "game": "nothing"},
        "import_bundle": {"file": "x"},
        "leaderboard": {"game": "nothing"},
        "match": {"bots": ["nobody", "stand"]},
        "organiser": {"number": 1},
        "replay": {"match": 1},
        "resume": {"number": 1},
        "run": NOBODY,
        "submit": {"path": "x"},
        "tournament": {"number": 1},
        "verify": {"match": 1},
    },
    arena.Tournament: {
        "export": {"to": "here.csv", "what": ["standings"]},
        "export_bundle": {"file": "x.arena"},
        "explain": {"name": "nobody"},
        "letters": {"url": "x"},
        "luck": {},
        "match": {},
        "reask": {"bot": "nobody"},
        "report": {"single": "x.html", "replays": 0, "view": "nothing"},
        "transcripts": {"match": "1"},
    },
    arena.Match: {
        "analysis": {"view": "nothing"},
        "document": {},
        "known_analysis": {"view": "nothing"},
        "logs": {},
        "luck": {},
        "moments": {},
        "odds": {"move": 0},
        "replay": {},
        "rows": {},
        "scenes": {},
    },
    Organiser: {
        "add": {"bot": "nobody"},
        "bye": {"bot": "nobody"},
        "disqualify": {"bot": "nobody", "reason": "x"},
        "forbid": {"bots": "nobody"},
        "lots": {"bots": "nobody"},
        "pair": {"pairs": ["nobody | x"], "file": "x"},
        "redo": {"place": "x"},
        "pause": {},
        "rename": {"name": "x"},
        "set": {"concurrency": 1},
        "swap": {"one": "nobody", "other": "x"},
        "withdraw": {"bot": "nobody"},
    },
    Careers: {
        "new": {"file": "x.career", "ruleset": "nothing"},
        "play": {"file": "x", "rival": "x", "wager": 1, "roll": True},
        "show": {"file": "x"},
    },
    SiteServer: {"serve": {"prefix": "?", "league": "x"}},
}
"""By owner the functions with parameters; the arguments end the costly ones before their work."""
NAMES = [(owner, name) for owner, calls in CALLS.items() for name in calls]


@pytest.mark.parametrize("owner", CALLS)
def test_every_public_function_is_here(owner):
    functions = {
        name
        for name, value in ((name, getattr(owner, name)) for name in dir(owner))
        if inspect.isfunction(value) and not name.startswith("_") and not name.endswith("_async")
        if list(inspect.signature(value).parameters) not in ([], ["self"])
        if owner is arena or inspect.isclass(owner) or value.__module__.startswith("arena.api")
    }
    helpers = {name for name in functions if getattr(owner, name).__module__ == calls.__name__}
    assert functions - helpers == set(CALLS[owner])


@pytest.fixture(scope="module")
def database(tmp_path_factory) -> Iterator[arena.ResultsDatabase]:
    with arena.open_database(tmp_path_factory.mktemp("odd") / "odd.db") as database:
        database.run(["counter", "random"], games=2, seed=1)
        yield database


@pytest.fixture(scope="module")
def selves(database) -> dict[Any, Any]:
    cup = database.tournament(1)
    return {
        arena.ResultsDatabase: database,
        arena.Tournament: cup,
        arena.Match: cup.match(),
        Organiser: database.organiser(1),
        Careers: database.career,
        SiteServer: database.site,
    }


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize(
    ("owner", "name"), NAMES, ids=lambda value: getattr(value, "__name__", value)
)
def test_odd_values_are_refused_or_taken(owner, name, selves, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    function = getattr(selves.get(owner, owner), name)
    places = {"db": selves[arena.ResultsDatabase], "match": selves[arena.Match]}
    there = inspect.signature(function).parameters
    works = {key: value for key, value in places.items() if key in there} | CALLS[owner][name]
    keys = keys_of(function)
    for value in ODD:
        for key in there:
            if key != "keys":
                call_or_refuse(function, works | {key: value})
        call_or_refuse(function, works | dict.fromkeys(keys, value))
    texts = [key for key, hint in keys.items() if hint is str or str in get_args(hint)]
    for key in texts if function is arena.dry_run else ():  # all functions read them alike
        call_or_refuse(function, works | {key: "\ud800"})
    stored = selves[arena.ResultsDatabase].tournaments()
    assert [row["status"] for row in stored] == ["finished"]


def keys_of(function: Callable[..., Any]) -> dict[str, Any]:
    """The names of ``**keys``, and their types."""
    hints = get_args(get_type_hints(function).get("keys"))
    return get_type_hints(hints[0]) if hints else {}


def call_or_refuse(function: Callable[..., Any], given: dict[str, Any]) -> None:
    named = dict(given)
    args: list[Any] = []
    parameters = inspect.signature(function).parameters.values()
    if any(each.kind is inspect.Parameter.VAR_POSITIONAL for each in parameters):
        for each in parameters:
            if each.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD:
                args.append(named.pop(each.name))
            elif each.kind is inspect.Parameter.VAR_POSITIONAL and each.name in named:
                values = named.pop(each.name)
                args += values if isinstance(values, list) else [values]
    try:
        found = function(*args, **named)
        if isinstance(found, Iterator):
            list(found)
    except arena.ArenaError as error:
        line = str(error)
        assert "\n" not in line
        assert "damaged" not in line
        assert line.isprintable()
    except Exception as error:
        raise AssertionError(f"{function.__qualname__}(**{given!r})") from error
