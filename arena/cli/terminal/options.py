"""Options of a verb from their rows: of a tournament's spec, of a run, of rating systems."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
import typer
from arena_tournaments.spec.keys import TournamentSpec

from arena.cli.terminal.completion import complete_bot, complete_format, complete_game
from arena.core.options import Option, Row, Rows, options_of, rows_of
from arena.core.text.parsing import parse_value
from arena.core.tournaments.format import Format
from arena.core.tournaments.rating import RatingSystem
from arena.service.run.options import RunOptions

if TYPE_CHECKING:
    from arena.plugins.registry import Registry

Verb = Callable[..., None]

COMPLETED = {"bots": complete_bot, "game": complete_game, "format": complete_format}
"""Completion of the values of a key."""
METAVARS: dict[type, str] = {int: "N", str: "NAME"}
"""Words for values by type, where a row has none."""


def _read_round(text: str) -> int:
    """Reads the number of a round; 0 for the next one that is finished."""
    if text == "next":
        return 0
    if not (text.isascii() and text.isdecimal() and int(text)):
        raise typer.BadParameter(f"{text!r} is neither the number of a round nor 'next'.")
    return int(text)


PARSERS = {"N|next": _read_round}
"""Parsers of values by metavar, where the type alone does not say how to read them."""


def _number_or_text(kind: type[int] | type[float]) -> Callable[[str], Any]:
    """Returns a reader of numbers. Other texts stay, so that the check of all keys names them."""

    def read(text: str) -> int | float | str:
        try:
            return kind(text)
        except ValueError:
            return text

    return read


def takes_keys(
    *keys: str, without: Collection[str] = (), formats: Collection[str] | None = None
) -> Callable[[Verb], Verb]:
    """Decorates a verb: its parameter ``keys`` becomes options of the command line.

    So does a parameter ``run_options`` of type ``RunOptions``. The verb gets the keys that were
    given, so that a file's value stands for the others. Without ``keys`` all of the spec become
    options, in its order, but for those ``without``, and, by the verb's function ``complete``, the
    options of formats: of all of them, or of these.
    """
    rows = rows_of(TournamentSpec)
    own = [key for key in keys or rows if key not in without and not rows[key].option.file_only]

    def decorate(verb: Verb) -> Verb:
        signature = inspect.signature(verb, eval_str=True)
        made: dict[object, Verb] = {}

        def complete(registry: Registry | None) -> Verb:
            """Returns the verb with the options of formats; those of extensions are known late."""
            kinds: Sequence[Format] = registry.formats() if registry else ()
            chosen = [each for each in kinds if formats is None or each.name in formats]
            of_formats = options_of(chosen)
            taken = {*own, *signature.parameters, *rows_of(RunOptions)}
            added = {key: _merged(each) for key, each in of_formats.items() if key not in taken}
            shown = {key: rows[key] for key in own}
            if kinds and "format" in shown:
                shown["format"] = _listing(rows["format"], kinds)
            mixed = [key for key in added if _plain_types(of_formats[key]) != 1]
            known = tuple((key, row.plain, row.option) for key, row in {**shown, **added}.items())
            if known not in made:
                made[known] = _with_parameters(verb, signature, shown, added, mixed)
                made[known].__dict__["complete"] = complete
            return made[known]

        if not keys:
            return complete(None)
        return _with_parameters(verb, signature, {key: rows[key] for key in own}, {}, ())

    return decorate


def takes_rating_options(usual: str) -> Callable[[Verb], Verb]:
    """Decorates a verb: its parameter ``keys`` becomes options of the command line.

    These are the rating system, ``model``, what some systems can use, ``anchor`` and ``before``,
    and by the verb's function ``complete`` the options of all systems that there are.

    Args:
        usual: The rating system where none is given.
    """

    def decorate(verb: Verb) -> Verb:
        signature = inspect.signature(verb, eval_str=True)

        def complete(registry: Registry | None) -> Verb:
            """Returns the verb with the options of rating systems."""
            systems = registry.rating_systems() if registry else {}
            shown = _about_rating(systems.values(), usual)
            taken = {*shown, *signature.parameters}
            by_key = {
                key: rows for key, rows in options_of(systems.values()).items() if key not in taken
            }
            shown |= {key: _merged(rows) for key, rows in by_key.items()}
            mixed = [key for key, rows in by_key.items() if _plain_types(rows) != 1]
            made = _with_parameters(verb, signature, shown, {}, mixed)
            made.__dict__["complete"] = complete
            return made

        return complete(None)

    return decorate


def _about_rating(systems: Collection[RatingSystem], usual: str) -> dict[str, Row]:
    """The options of rating besides those of systems; their help names the systems."""
    names = ", ".join(each.name for each in systems)
    using = {
        what: ", ".join(each.name for each in systems if what in each.takes)
        for what in ("anchors", "before")
    }
    model = Option(f"Rating system, with options as in 'elo(k=8)': {names}.")
    anchor = Option(
        f"{using['anchors']}: Fixed rating of a player. Repeatable.", metavar="NAME=RATING"
    )
    before = Option(
        f"{using['before']}: CSV of earlier ratings: player,rating,se,volatility.", metavar="FILE"
    )
    return {
        "model": Row(str, model, usual),
        "anchor": Row(tuple[str, ...], anchor, None),
        "before": Row(str, before, None),
    }


def _with_parameters(
    verb: Verb, signature: inspect.Signature, own: Rows, added: Rows, mixed: Collection[str]
) -> Verb:
    """The verb with options in place of its parameter ``keys``.

    Args:
        own: The options that stand in its place.
        added: Those of formats, which follow ``stages``, or come last.
        mixed: Those of them whose values have several types, and are read as in brackets.
    """
    parameters: list[inspect.Parameter] = []
    expanded = {"keys": own, "run_options": rows_of(RunOptions)}
    for parameter in signature.parameters.values():
        if parameter.name in expanded:
            rows = expanded[parameter.name]
            checked = parameter.name == "keys"
            parameters += [_parameter(key, row, checked=checked) for key, row in rows.items()]
        else:
            parameters.append(parameter)
    place = {each.name: at for at, each in enumerate(parameters, 1)}
    at = place.get("stages", len(parameters))
    parameters[at:at] = [_parameter(key, row, checked=True) for key, row in added.items()]

    @wraps(verb)
    def run(**values: object) -> None:
        given = {key: values.pop(key) for key in (*own, *added)}
        for key in mixed:
            value = given[key]
            given[key] = parse_value(value) if isinstance(value, str) else value
        if "run_options" in signature.parameters:
            chosen: dict[str, Any] = {key: values.pop(key) for key in rows_of(RunOptions)}
            values["run_options"] = RunOptions(**chosen)
        verb(keys={key: value for key, value in given.items() if value is not None}, **values)

    run.__dict__["__signature__"] = signature.replace(parameters=parameters)
    run.__annotations__ = {each.name: each.annotation for each in parameters}
    return run


def _listing(row: Row, kinds: Sequence[Format]) -> Row:
    """The option ``format`` with the names of all that there are in its help."""
    help = f"Format: {', '.join(each.name for each in kinds)}."
    return msgspec.structs.replace(row, option=msgspec.structs.replace(row.option, help=help))


def _merged(rows: Mapping[str, Row]) -> Row:
    """One option for those of the same key of several formats or systems; its help names them.

    Where they differ in type, it takes any text.
    """
    texts, defaults = dict[str, list[str]](), dict[str, list[str]]()
    for name, row in rows.items():
        texts.setdefault(row.option.help, []).append(name)
        defaults.setdefault(row.default_text, []).append(name)
    help = " ".join(f"{', '.join(names)}: {text}" for text, names in texts.items())
    default = next(iter(defaults))
    if len(defaults) > 1:
        default = ", ".join(f"{', '.join(names)}: {text}" for text, names in defaults.items())
    first = next(iter(rows.values()))
    takes = first.takes if _plain_types(rows) == 1 else str
    return Row(takes, msgspec.structs.replace(first.option, help=help, default=default), None)


def _plain_types(rows: Mapping[str, Row]) -> int:
    """The number of types that options of the same key take."""
    return len({row.plain for row in rows.values()})


def _help(row: Row) -> str:
    return f"{row.option.help} [{row.default_text}]" if row.default_text else row.option.help


def _parameter(key: str, row: Row, *, checked: bool) -> inspect.Parameter:
    """A parameter of typer's for a row; a key that is not given is ``None``.

    Args:
        checked: Whether its value is checked with all keys, so that any text may be read here.
    """
    plain: Any = list[str] if row.plain is list else row.plain
    parser: Callable[[str], Any] | None = PARSERS.get(row.option.metavar)
    if checked and plain in (int, float):
        parser = parser or _number_or_text(plain)
    option = typer.Option(
        row.option.flag or f"--{key.replace('_', '-')}",
        metavar=row.option.metavar or METAVARS.get(plain),
        parser=parser,
        help=_help(row),
        autocompletion=COMPLETED.get(key),
        rich_help_panel=row.option.group,
    )
    annotation = Annotated[plain | None, option]
    return inspect.Parameter(
        key, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=annotation
    )
