"""Formats and schedules as a spec asks for them, of new tournaments and of stored ones."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import chain, groupby

import msgspec
from arena_results.ratings.comparing.changes import AmountInterval, check_units, read_test
from arena_results.schema.rows import EntryRow, TournamentSummary
from arena_tournaments.formats.stages import Stage, Staged
from arena_tournaments.formats.swiss import name_groups
from arena_tournaments.pairing.seating import crowded_authors
from arena_tournaments.play.schedule import MAX_TESTED, Schedule, balanced_games
from arena_tournaments.play.volume import (
    MAX_UNTIL_DECIDED,
    RULES,
    Volume,
    WithWinner,
    volume,
    whole_groups,
)
from arena_tournaments.scoring.scoring import by_amount
from arena_tournaments.scoring.standings import check_own, tie_breaks_named
from arena_tournaments.spec.keys import TournamentSpec
from arena_tournaments.spec.stages import stage_specs

from arena.core.errors import BadInput, BadKey, meant
from arena.core.game import AnyGame, Ruleset
from arena.core.options import Rows, checked, options_of, rows_of
from arena.core.outcome import Amounts
from arena.core.text.parsing import format_call, parse_call
from arena.core.tournaments.format import (
    EXHIBITION,
    Entrant,
    Format,
    RoundResult,
    Strengths,
    Tables,
    Wanted,
)
from arena.plugins.options import either, option
from arena.plugins.registry import Registry
from arena.service.answers.errors import NO_OPTION, Problems
from arena.service.setup.scoring import with_scoring
from arena.service.setup.until_tested import UntilTested

_DEFAULT = TournamentSpec()
_BUDGET = re.compile(r"(\d{1,6}(?:\.\d{1,3})?)\s*(s|m|h)", re.ASCII)
_UNITS = {"s": 1, "m": 60, "h": 3600}


def with_options(registry: Registry, spec: TournamentSpec, found: list[str]) -> TournamentSpec:
    """The spec with the right ones of its format's options, in their order, without defaults.

    Args:
        found: Gets ``"key: what is wrong"`` for all others.

    Raises:
        BadInput: There is no such format, or a stage is wrong.
    """
    spelled = [each.format for each in stage_specs(spec)] if spec.stages else [spec.format]
    names = [parse_call(each)[0] for each in spelled]
    by_name = {name: registry.format(name).options() for name in names}
    rows = {key: row for each in by_name.values() for key, row in each.items()}
    found.extend(
        f"{key}: a key of every tournament, and so no option of {' and '.join(names)}"
        for key in sorted(rows.keys() & rows_of(type(spec)).keys())
    )
    given = checked(_of_format(registry, spec, by_name, found), found, rows)
    options = {
        key: given[key]
        for key in rows
        if key in given
        and any(key in each and given[key] != each[key].default for each in by_name.values())
    }
    return msgspec.structs.replace(spec, format_options=options)


def _of_format(
    registry: Registry, spec: TournamentSpec, by_name: Mapping[str, Rows], found: list[str]
) -> dict[str, object]:
    """The given options that these formats have; ``found`` gets a line for every other one."""
    rows = {key for each in by_name.values() for key in each}
    whose = " and ".join(by_name)
    for key in [key for key in spec.format_options if key not in rows]:
        others = options_of(registry.formats()).get(key)
        if key in rows_of(type(spec)):
            found.append(
                f"{key}: a key of its own, not an option of {whose}; write it next to format"
            )
        elif others:
            takes = ", ".join(others)
            found.append(f"{key}: not available for {whose}; formats with it: {takes}")
        else:
            choices = f"the options are {', '.join(sorted(rows))}" if rows else "there are none"
            like = meant(key, (*rows_of(type(spec)), *rows))
            found.append(f"{key}: {NO_OPTION} {whose}; {choices}{like}")
    return {key: value for key, value in spec.format_options.items() if key in rows}


def checked_format(
    registry: Registry,
    spec: TournamentSpec,
    game: AnyGame | None,
    ruleset: Ruleset | None,
    found: Problems,
) -> tuple[TournamentSpec, Format | None]:
    """The spec with options and scoring settled, and its format; ``found`` gets the problems."""
    key = "stages" if spec.stages else "format"
    settled = found.attempt(key, lambda: with_options(registry, spec, found))
    if settled is None:
        some = options_of(registry.formats())
        known = (*rows_of(type(spec)), *some)
        found.extend(
            f"{key}: {NO_OPTION} any format{meant(key, known)}"
            for key in spec.format_options
            if key not in some
        )
        return spec, None
    format = found.attempt(key, partial(make_format, registry, settled))
    if game and ruleset and format:
        settled = with_scoring(settled, game, ruleset, format)
    return settled, format


def make_format(registry: Registry, spec: TournamentSpec) -> Format:
    """The format of a spec, with its options.

    Raises:
        BadInput: The name is unknown, or its options are wrong or do not go together.
    """
    if spec.stages:
        return _make_stages(registry, spec)
    problems: list[str] = []
    options = with_options(registry, spec, problems).format_options
    if problems:
        raise BadInput("; ".join(problems))
    raced = bool(spec.first_to or spec.best_of or spec.until_decided or spec.test)
    wanted = Wanted(rounds=spec.rounds, games=spec.games, raced=raced)
    made = registry.format(spec.format).configured(options, wanted)
    if made.by_strength and spec.budget:
        raise BadInput(f"{made.name} plays until ranks are separated: give matches, not a budget")
    return made.estimated_by(_strengths)


def check_format(spec: TournamentSpec, format: Format, people: bool) -> None:
    """Checks that a tournament can have a format.

    Args:
        people: Whether a person is among the entrants.

    Raises:
        UnknownName: A tie-break of its standings does not exist.
        BadInput: Points or tie-breaks of its own mean nothing, or it is for matches of people.
    """
    if isinstance(format, Staged):
        for number, stage in enumerate(format.stages, 1):
            try:
                check_format(spec, stage.format, people)
            except BadInput as error:
                raise BadInput(f"stage {number}: {error}") from None
        return
    scoring = format.scoring()
    tie_breaks_named(() if scoring.own else scoring.tie_breaks)
    check_own(
        by_amount(scoring) if spec.scoring == "amount" else scoring, spec.seats or format.seats[0]
    )
    if format.for_people and not people:
        raise BadInput(f"{format.name} is for a match of a person: arena play GAME BOT")


def _strengths(entrants: int, played: Sequence[RoundResult]) -> Strengths:
    # Imported here: numpy takes long to load for commands that need no strengths.
    from arena_results.ratings.fits.rounds import strengths

    return strengths(entrants, played)


def forbidden_groups(spec: TournamentSpec) -> tuple[tuple[str, ...], ...]:
    """The groups of names of whom no two are to meet, in all of the tournament or in a stage."""
    specs: Sequence[TournamentSpec] = (spec,)
    with suppress(BadInput):  # a wrong stage is reported where the format is made
        specs = (spec, *stage_specs(spec))
    return tuple(
        group for each in specs for group in name_groups(each.format_options.get("forbidden", ()))
    )


def _make_stages(registry: Registry, spec: TournamentSpec) -> Staged:
    if spec.format != _DEFAULT.format:
        raise BadInput(f"every stage has its own format; leave out {spec.format}")
    stages = []
    for number, each in enumerate(stage_specs(spec), 1):
        rows = registry.format(each.format).options()
        whole = {key: value for key, value in spec.format_options.items() if key in rows}
        options = {**whole, **each.format_options}
        own = msgspec.structs.replace(each, format_options=options)
        try:
            made = make_format(registry, own)
            stages.append(Stage(made, each.rounds, each.take, each.cut_ties))
        except BadInput as error:
            raise BadInput(f"stage {number}: {error}") from None
    for stage in stages:
        name = stage.format.name
        if 2 not in stage.format.seats:
            raise BadInput(f"{name} is not for tables of two, as stages are")
        if stage.format.for_people:
            raise BadInput(f"{name} is for a match of a person: arena play GAME BOT")
        if stage.format.by_strength:
            raise BadInput(f"{name} ends when ranks separate; no stage can")
        if stage.format.ends_early and stage is not stages[-1]:
            raise BadInput(f"{name} with these options may end a round early: it can only be last")
    return Staged(stages=tuple(stages))


def stored_format(registry: Registry, summary: TournamentSummary, spec: TournamentSpec) -> Format:
    """Returns the format of a stored tournament with this spec."""
    if not spec.stages:
        spec = msgspec.structs.replace(spec, format=summary.format)
    return make_format(registry, spec)


def entrants_of(
    spec: TournamentSpec, names: Sequence[str], entries: Sequence[EntryRow]
) -> tuple[Entrant, ...]:
    """The field for pairing; without authors where bots of one author may sit together."""
    return tuple(
        Entrant(name, entry.rating, _folded(entry.author) if spec.authors_apart else "")
        for name, entry in zip(names, entries, strict=True)
    )


def crowded(
    spec: TournamentSpec, authors: Sequence[str], sizes: Sequence[int]
) -> tuple[tuple[str, int], ...]:
    """The authors whose bots cannot all sit apart, with how many bots they have.

    Args:
        authors: The author of each bot of the field.
        sizes: The sizes of a round's tables; of two there is nothing to keep apart.
    """
    if not spec.authors_apart or max(sizes, default=2) == 2:
        return ()
    found = crowded_authors([*map(_folded, authors)], sizes)
    spelled = {_folded(author): author for author in reversed(authors)}
    return tuple((spelled[author], count) for author, count in found.items())


def _folded(author: str) -> str:
    """An author's name without what people write in one way or another."""
    return " ".join(author.casefold().split())


def settled_games(
    spec: TournamentSpec, format: Format, tables: Tables, entrants: int
) -> int | None:
    """The number of matches of a pairing that is stored with a spec; ``None`` for races."""
    if spec.first_to or spec.best_of:
        return None
    if spec.until_decided:
        return spec.games or MAX_UNTIL_DECIDED
    if format.by_strength:
        return format.games
    if spec.test:
        return spec.games or MAX_TESTED
    return spec.games or balanced_games(tables.sizes(entrants))


def make_volumes(
    spec: TournamentSpec, format: Format, tables: Tables, entrants: int, rounds: int
) -> tuple[Volume, ...]:
    """The rules of how many matches per pairing plays, round by round.

    Raises:
        BadInput: Keys that exclude each other, or that larger tables have no use for.
    """
    if isinstance(format, Staged):
        sizes, lengths = format.sizes(entrants), format.lengths(entrants)
        parts = zip(stage_specs(spec), format.stages, sizes, lengths, strict=True)
        found = [make_volumes(each, stage.format, tables, *size) for each, stage, *size in parts]
        _check_alike(format, found)
        return tuple(chain.from_iterable(found))
    races = ("first_to", "best_of", "until_decided", "test")
    raced = next((key for key in races if getattr(spec, key)), "")
    if raced and raced != "test" and spec.scoring == "amount":
        raise BadKey(raced, f"counts wins; by amount, give {option('games')}")
    if format.by_strength and (raced or spec.scoring == "amount"):
        raise BadKey(
            raced or "scoring",
            f"{format.name} that plays until ranks are separated needs pairings of equal length, "
            "and counts wins: leave it out",
        )
    if raced and tables.most > 2:
        raise BadKey(raced, f"only tables of two play until one is ahead, not {tables.most}")
    if spec.adjusted and not spec.test:
        raise BadKey("adjusted", f"needs {option('test')}, too")
    if spec.adjusted and format.eliminates:
        raise BadKey("adjusted", f"not for {format.name}, where match points say who goes on")
    games = settled_games(spec, format, tables, entrants) if spec.games is None else spec.games
    group = tables.most if spec.mirrored else 1
    own = spec.first_to, spec.best_of, spec.until_decided
    rule: Volume
    rule = _tested(spec, games, group) if spec.test else volume(games, *own, group=group)
    return ((WithWinner(rule) if format.eliminates else rule),) * rounds


def _check_alike(format: Staged, volumes: Sequence[Sequence[Volume]]) -> None:
    """Refuses stages of which some begin earlier or later by results, and play by other rules."""
    cuts = (n for n, stage in enumerate(format.stages) if stage.cut_ties != "order")
    first = next(cuts, len(format.stages))
    if len({volume for each in volumes[first:] for volume in each}) > 1:
        raise BadInput(
            f"stage {first + 1}: cut_ties: {format.stages[first].cut_ties} needs stages of equal "
            "pairings from there on: the same games, first_to or best_of, all with a bracket or "
            "all without"
        )


def _tested(spec: TournamentSpec, games: int | None, group: int) -> UntilTested:
    for name in RULES[:-1]:
        if getattr(spec, name) is not None:
            raise BadKey(
                name, f"cannot be combined with {option('test')}: each sets the length of a pairing"
            )
    single = either("--not-mirrored (mirrored = false)", "mirrored=False")
    try:
        test = read_test(spec.test)
        check_units(test, spec.mirrored, spec.adjusted, single)
    except BadInput as error:
        raise BadKey("test", str(error)) from None
    if isinstance(test, AmountInterval) != (spec.scoring == "amount"):
        kind = spec.test.partition("(")[0]
        what = "amounts" if isinstance(test, AmountInterval) else "wins"
        raise BadKey("scoring", f"is {spec.scoring}, and the test, {kind}, counts {what}")
    return UntilTested(test, whole_groups(games or MAX_TESTED, group), spec.adjusted)


def budget_seconds(text: str) -> float:
    """Reads a length of time: ``"90s"``, ``"10m"`` or ``"2h"``; others raise ``BadInput``."""
    found = _BUDGET.fullmatch(text.strip())
    seconds = float(found[1]) * _UNITS[found[2]] if found else 0
    if not seconds:
        raise BadInput(f"expected a duration such as 90s, 10m or 2h, not {text!r}")
    return seconds


def check_budget(spec: TournamentSpec) -> None:
    """Refuses a budget that is none, or goes with no number of matches, by ``BadInput``."""
    if not spec.budget:
        return
    budget_seconds(spec.budget)
    for name in ("games", "first_to", "best_of"):
        if getattr(spec, name) is not None:
            raise BadInput(f"cannot be combined with {option(name)}; leave out one of them")


def volumes_text(volumes: Sequence[Volume]) -> str:
    """The rules of how many matches per pairing plays, in words."""
    return ", then ".join(text for text, _ in groupby(volume.describe() for volume in volumes))


def asked_for(spec: TournamentSpec) -> dict[str, object]:
    """The keys about format and volume that were given, for reports."""
    values = {name: getattr(spec, name) for name in (*RULES, "adjusted")}
    given = {name: value for name, value in values.items() if value != getattr(_DEFAULT, name)}
    return given | spec.format_options


def stored_schedule(
    summary: TournamentSummary, spec: TournamentSpec, format: Format, amounts: Amounts | None
) -> Schedule:
    """Returns the schedule of a stored tournament with this spec.

    Where luck decides how many matches are played, it knows no more than the results so far.

    Args:
        amounts: What matches are worth, if they are scored by amount.
    """
    if not (spec.first_to or spec.best_of or spec.stages):
        spec = msgspec.structs.replace(spec, games=summary.games)
    volumes = make_volumes(spec, format, Tables(spec.seats or 2), summary.entries, summary.rounds)
    return Schedule(summary.seeds.keys(), summary.mirrored, volumes, amounts)


def settled_tables(
    registry: Registry, spec: TournamentSpec, game: AnyGame, format: Format
) -> Tables:
    """The table sizes of a new tournament, if they go with the rest of its spec."""
    entrants = len(spec.bots)
    if spec.seats == entrants and entrants not in game.seats:
        # All sit at one table, as in a match: the bots say how many seats it has.
        sizes = _span(game.seats)
        message = f"{game.name} plays at tables of {sizes}, not {entrants}: name {sizes} bots"
        raise BadKey("bots", message)
    tables = table_sizes(registry, game, format, spec.seats)
    if spec.stake and tables.most > 2:
        raise BadInput(f"a stake is between two; tables of {tables.most} play without (stake = 0)")
    return tables


def table_sizes(registry: Registry, game: AnyGame, format: Format, wanted: int | None) -> Tables:
    """The sizes of the tables of a game in a format.

    Args:
        wanted: Seats of a full table; ``None`` takes the fewest that both play.

    Raises:
        BadInput: The game or the format does not seat that many; names the choices.
    """
    if wanted is not None and wanted not in game.seats:
        raise BadInput(f"{game.name} plays at tables of {_span(game.seats)}, not {wanted}")
    asked = game.seats if wanted is None else range(wanted, wanted + 1)
    both = [seats for seats in asked if seats in format.seats]
    if not both:
        fits = [other.name for other in registry.formats() if {*other.seats} & {*asked}]
        raise BadInput(
            f"{format.name} is for tables of {_span(format.seats)}, not {_span(asked)}; "
            f"formats for that: {', '.join(sorted(fits)) or 'none'}"
        )
    return Tables(both[0], min(game.seats))


def _span(seats: range) -> str:
    first, last = min(seats), max(seats)
    return str(first) if first == last else f"{first} to {last}"


def game_of(registry: Registry, spec: TournamentSpec) -> AnyGame:
    """The game of a spec; one that is never rated for an exhibition match alone."""
    unrated = spec.format == EXHIBITION and not spec.stages
    return registry.game(spec.game) if unrated else registry.rated_game(spec.game)


def ruleset_of(game: AnyGame, spec: TournamentSpec) -> Ruleset:
    """The ruleset of a spec with the options of both places."""
    name, options = parse_call(spec.ruleset or next(iter(game.rulesets)))
    ruleset: Ruleset = game.ruleset(format_call(name, {**options, **spec.options}))
    return ruleset
