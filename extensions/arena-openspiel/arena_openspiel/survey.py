"""Writes ``catalogue.json`` from the OpenSpiel that is installed.

``python -m arena_openspiel.survey`` shows which games would change, ``--write`` writes them.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from arena.core.chance.seeding import generator
from arena.core.text.parsing import Value
from arena_openspiel.catalogue import FILE, Entry, catalogue
from arena_openspiel.facts import facts_of
from arena_openspiel.library import VERSION, library, load_game
from arena_openspiel.wording import plain_text

PLAYERS = ("players", "numPlayers", "num_players")
"""Names of the parameter with the number of players."""
MAX_TEXTS = 1000
"""A game with more actions has numbers instead of texts."""
MATCHES = 20
"""Random matches in which the texts are compared."""


def refused(kind: Any) -> str:  # noqa: ANN401 - OpenSpiel ships no type information
    """Returns why a type of games is not offered; empty if it is."""
    types = library().GameType
    reasons = {
        "it is for one player": kind.max_num_players < 2,
        "its players act at the same time": kind.dynamics != types.Dynamics.SEQUENTIAL,
        "nothing in it is hidden": kind.information != types.Information.IMPERFECT_INFORMATION,
        "its players all win the same": kind.utility == types.Utility.IDENTICAL,
        "its chance has no listed odds": kind.chance_mode == types.ChanceMode.SAMPLED_STOCHASTIC,
        "it is another game, changed": not kind.default_loadable,
        "it shows seats nothing as text": not (
            kind.provides_information_state_string or kind.provides_observation_string
        ),
    }
    return next((reason for reason, holds in reasons.items() if holds), "")


def surveyed() -> Mapping[str, Entry]:
    """Returns the games that OpenSpiel has and Arena can offer, by name."""
    kinds = library().registered_games()
    return {
        kind.short_name: entry_of(kind)
        for kind in sorted(kinds, key=lambda kind: str(kind.short_name))
        if not kind.short_name.startswith("python_") and not refused(kind)
    }


def entry_of(kind: Any) -> Entry:  # noqa: ANN401
    """Returns a type of games as the catalogue has it."""
    game = library().load_game(kind.short_name)
    players = [name for name in kind.parameter_specification if name in PLAYERS]
    facts = facts_of(kind.short_name)
    options: dict[str, Value] = {
        name: facts.defaults.get(name, kind.parameter_specification[name]) for name in facts.options
    }
    fixed = game.num_players()
    tables = (game, _largest(kind, players))  # in oh_hell the small one has more actions
    widest = max(tables, key=lambda table: table.num_distinct_actions())
    seats = (max(kind.min_num_players, 2), kind.max_num_players) if players else (fixed, fixed)
    return Entry(
        title=kind.long_name,
        seats=seats,
        players=players[0] if players else "",
        options=options,
        zero_sum=kind.utility == library().GameType.Utility.ZERO_SUM,
        count=widest.num_distinct_actions(),
        texts=_texts(widest),
        chance=kind.chance_mode != library().GameType.ChanceMode.DETERMINISTIC,
        recalls=kind.provides_information_state_string,
    )


def _largest(kind: Any, players: Sequence[str]) -> Any:  # noqa: ANN401
    """Returns the game for the most players.

    Args:
        players: The names of its parameter with their number.
    """
    most = kind.max_num_players
    table = facts_of(kind.short_name).by_seats(most) if players else {}
    return load_game(kind.short_name, {**dict.fromkeys(players, most), **table})


def _texts(game: Any) -> tuple[str, ...]:  # noqa: ANN401
    """Returns the texts of a game's actions, if each has one of its own; else nothing."""
    state, count = game.new_initial_state(), game.num_distinct_actions()
    if count > MAX_TEXTS:
        return ()
    texts = {id: _text(state, id) for id in range(count)}
    played: dict[int, str] = {}
    same = all(played.setdefault(id, text) == text for id, text in _played(game))
    texts |= played
    alone = same and len({*texts.values()}) == count
    return tuple([texts[id] for id in range(count)]) if alone else ()


def _text(state: Any, id: int) -> str:  # noqa: ANN401
    try:
        return plain_text(state.action_to_string(0, id))
    except (library().SpielError, IndexError):  # no action of this player, or at this time
        return f"action {id}"


def _played(game: Any) -> Iterator[tuple[int, str]]:  # noqa: ANN401
    """Yields the legal actions in some random matches, with their texts there."""
    rng = generator(0)
    for _ in range(MATCHES):
        state = game.new_initial_state()
        while not state.is_terminal():
            legal, player = state.legal_actions(), state.current_player()
            if player >= 0:
                yield from ((id, plain_text(state.action_to_string(player, id))) for id in legal)
            state.apply_action(rng.choice(legal))


def main() -> None:
    """Compares the catalogue with OpenSpiel, or writes it."""
    found = surveyed()
    if "--write" in sys.argv:
        FILE.write_bytes(msgspec.json.format(msgspec.json.encode(found), indent=1) + b"\n")
        return
    listed = catalogue()
    differs = sorted(name for name in {*found, *listed} if found.get(name) != listed.get(name))
    sys.exit(f"not as in OpenSpiel {VERSION}: {', '.join(differs)}" if differs else 0)


if __name__ == "__main__":
    main()
