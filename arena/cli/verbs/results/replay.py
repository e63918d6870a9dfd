"""``arena replay``: a stored match, move by move, from whoever's point of view."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from textwrap import indent
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from arena.cli.terminal.exits import CHECK_FAILED
from arena.cli.terminal.help import PLAYERS
from arena.cli.terminal.output import TextOrJson, TextOrJsonOption, counted, say, show_json
from arena.cli.terminal.pager import check_terminal, show_long, walk
from arena.cli.terminal.wiring import DEFAULT_DB, DbOption, registry
from arena.cli.texts.analysis import analysis_lines
from arena.cli.texts.luck import ValuesFile, luck_lines
from arena.core.errors import BadInput, Divergence, UnknownName
from arena.core.scene import MATCH, Scene, draw_text, split_events, verdict_text
from arena.service.match.replay_text import (
    harmless,
    name_seats,
    outcome_lines,
    parts,
    score_text,
    seat_labels,
    with_analysis,
    with_luck,
)
from arena.service.storage.bundle_files import BUNDLE, NUMBER, bundle_url, is_bundle
from arena.service.storage.databases import open_database

if TYPE_CHECKING:
    from arena_results.file.database import Database
    from arena_results.replays.views import Moment, Replay

    from arena.core.tournaments.format import Participant
    from arena.service.match.analysis import Analysis
    from arena.service.match.luck import MatchLuck
    from arena.service.match.replays import Match, Numbers, Verified

EPILOG = """\b
Examples:
  arena replay 3.1.2.1
  arena replay 3.1.2.1 --view seat0 --step
  arena replay 3.1.2.1 --summary
  arena replay 3.1.2.1 --move 17
  arena replay 3.1.2.1 --luck
  arena replay 3.1.2.1 --analysis --mistakes 0.1
  arena replay 3.1.2.1 --html match.html --view seat0
  arena replay 3 --verify
  arena replay cup.arena 1.2.1

MATCH counts the matches of a pairing. A shorter number, such as 3.1, means the
first match there (here: of round 1), and with --verify all of them.
"""


Place: TypeAlias = Annotated[
    str,
    typer.Argument(
        metavar="MATCH|FILE",
        help="Match as TOURNAMENT.ROUND.PAIRING.MATCH, or a bundle from arena export.",
    ),
]
Within: TypeAlias = Annotated[
    str, typer.Argument(metavar="KEY", help="Match of a bundle, as ROUND.PAIRING.MATCH.")
]
Move: TypeAlias = Annotated[
    int | None, typer.Option(metavar="N", min=0, help="First move to show.")
]
Log: TypeAlias = Annotated[bool, typer.Option("--log", help="Show what the bots printed.")]
Transcripts: TypeAlias = Annotated[
    bool, typer.Option("--transcripts", help="Add what language models answered at each decision.")
]
Luck: TypeAlias = Annotated[
    bool, typer.Option("--luck", help="Add the luck of every card, in match points.")
]
Analyse: TypeAlias = Annotated[
    bool, typer.Option("--analysis", help="Add win probabilities, luck and mistakes.")
]
Mistakes: TypeAlias = Annotated[
    float | None,
    typer.Option(
        "--mistakes", metavar="P", help="Analysis with P as the least loss of a mistake. [0.05]"
    ),
]
Scenes: TypeAlias = Annotated[
    bool, typer.Option("--scenes", help="Add the table at each position to the JSON.")
]
Html: TypeAlias = Annotated[
    Path | None,
    typer.Option("--html", metavar="FILE", help="File to write: a web page that plays the match."),
]
Verify: TypeAlias = Annotated[
    bool, typer.Option("--verify", help="Re-execute the match, with exit code 1 at a difference.")
]


def register(app: typer.Typer) -> None:
    """Adds the verb."""
    app.command("replay", rich_help_panel=PLAYERS, epilog=EPILOG)(replay_command)


def replay_command(
    match: Place,
    within: Within = "",
    view: Annotated[
        str, typer.Option(metavar="VIEW", help="Point of view: public, seat0, seat1, ... or all.")
    ] = "all",
    step: Annotated[
        bool, typer.Option("--step", help="Step through the moves with the keyboard.")
    ] = False,
    summary: Annotated[
        bool, typer.Option("--summary", help="Show one line per set or hand.")
    ] = False,
    move: Move = None,
    log: Log = False,
    transcripts: Transcripts = False,
    verify: Verify = False,
    luck: Luck = False,
    value_function: ValuesFile = None,
    analysis: Analyse = False,
    mistakes: Mistakes = None,
    scenes: Scenes = False,
    html: Html = None,
    db: DbOption = DEFAULT_DB,
    output: TextOrJsonOption = TextOrJson.TABLE,
) -> None:
    """Show a stored match move by move.

    A view shows no card, seed or traceback that its owner may not know; a
    seed is shown when the whole tournament is finished.

    Logs are kept of untrusted bots that broke the match: of each bot and cause the
    first 20 of a tournament; with its key all_logs of others, too (1,000 of a bot).

    JSON: an object with match, view, game, ruleset, engine, seed, seats,
    moments (move, events, scores, table, seat, action), logs and ending; with
    --luck also luck (value_function, hash, seats, events), with --analysis also
    analysis (the same, evaluator, threshold, decisions), with --scenes each
    moment also scene (title, turn, zones, facts, notes) and held: the scenes before it
    of what had ended, each with a verdict (over, winners, reason, score).

    Luck is the value of the match after what came, less the exact mean over all that
    could have come, by the value function of the game (Pazaak has one). Its mean is 0,
    so that scores without luck have the same mean as scores, and vary less.

    A page (--html) needs no other file and asks nothing of the network. It has the view that is
    asked for and no other, begins at --move, and marks mistakes of --mistakes or more.

    The analysis evaluates each decision by what the seat knew: a mistake is one after which
    the match is worth less than after the best action (docs/explanation/luck.md).
    """
    from arena.service.match import replays
    from arena.service.match.analysis import MISTAKE

    if analysis and mistakes is None:
        mistakes = MISTAKE

    if value_function and not luck and mistakes is None:
        raise BadInput("--value-function: needs --luck or --analysis")
    as_json = output is TextOrJson.JSON
    if scenes and not as_json:
        raise BadInput("--scenes: needs -o json")
    if html and (step or summary or log or verify or luck or as_json):
        raise BadInput(
            "--html: cannot be combined with --step, --summary, --log, --luck, --verify or -o json"
        )
    if transcripts and (html or summary or log or verify or as_json):
        raise BadInput(
            "--transcripts: cannot be combined with --html, --summary, --log, --verify or -o json; "
            f"for documents: arena transcripts show {match} -o jsonl"
        )
    jumps = move is not None
    _check_options(
        as_json,
        step=step,
        summary=summary,
        jumps=jumps,
        log=log,
        verify=verify,
        luck=luck,
        analysis=mistakes is not None,
    )
    db, match = _place(db, match, within)
    if step:
        check_terminal()
    with open_database(db) as results:
        numbers = replays.parse_numbers(results, match)
        if verify:
            verified = replays.verify(registry(), results, numbers)
            _show_verified(verified, output, one=len(numbers.rest) == 3)
            return
        shown = replays.stored_match(registry(), results, numbers.tournament, numbers.key)
        _check_view(view, len(shown.players))
        beside = _beside(results, numbers, shown, view) if transcripts else {}
    try:
        if as_json:
            show_json(
                shown.document(
                    view, luck=luck, mistakes=mistakes, value_function=value_function, scenes=scenes
                )
            )
        elif html:
            from arena.pages.replay import single_replay_page

            marked = MISTAKE if mistakes is None else mistakes
            page = single_replay_page(
                shown, view, move=move or 0, mistakes=marked, value_function=value_function
            )
            _write_page(page, html)
        elif log:
            _show_logs(shown, view)
        else:
            found = shown.luck(view, value_function) if luck else None
            judged = None if mistakes is None else shown.analysis(view, mistakes, value_function)
            _show(
                shown,
                view,
                move or 0,
                step=step,
                summary=summary,
                luck=found,
                analysis=judged,
                beside=beside,
            )
    except Divergence as error:
        raise Divergence(f"match {shown.number} cannot be replayed: {error}") from None


def _check_options(
    as_json: bool,
    *,
    step: bool,
    summary: bool,
    jumps: bool,
    log: bool,
    verify: bool,
    luck: bool,
    analysis: bool,
) -> None:
    if step and (verify or as_json):
        raise BadInput("--step: cannot be combined with --verify or -o json")
    if summary and (step or verify or as_json):
        raise BadInput("--summary: cannot be combined with --step, --verify or -o json")
    if jumps and (summary or verify or as_json):
        raise BadInput("--move: cannot be combined with --summary, --verify or -o json")
    if log and (step or summary or verify or jumps):
        raise BadInput("--log: cannot be combined with --step, --summary, --move or --verify")
    if luck and (log or verify):
        raise BadInput("--luck: cannot be combined with --log or --verify")
    if analysis and (log or verify):
        raise BadInput("--analysis: cannot be combined with --log or --verify")


def _place(db: str, match: str, within: str) -> tuple[str, str]:
    if match.endswith(BUNDLE) or is_bundle(Path(match)):
        return bundle_url(Path(match)), ".".join(filter(None, (str(NUMBER), within)))
    if within:
        raise BadInput(f"{within!r}: expected with a bundle only, not with {match}")
    return db, match


def _write_page(page: str, file: Path) -> None:
    from arena.service.answers.writing import replacing

    with replacing(file) as target:
        target.write(page.encode())
    say(f"written: {file}")


def _show(
    shown: Match,
    view: str,
    move: int,
    *,
    step: bool,
    summary: bool,
    luck: MatchLuck | None,
    analysis: Analysis | None,
    beside: Mapping[int, str],
) -> None:
    replay = shown.replay(view)
    head = "\n".join(heading(shown.number, replay, shown.players))
    end = "\n".join(outcome_lines(replay, shown.names))
    labels = seat_labels(shown.names)
    if analysis:
        replay = with_analysis(replay, analysis)
        end = "\n".join([end, "", *analysis_lines(analysis, labels)])
    elif luck:
        replay = with_luck(replay, luck)
        end = "\n".join([end, "", *luck_lines(luck, labels)])
    if summary:
        show_long("\n\n".join([head, "\n".join(summary_lines(replay, labels)), end]))
        return
    moments = [
        [name_seats(page, labels) for page in moment_pages(moment, before)]
        for before, moment in zip((None, *replay.moments), replay.moments, strict=False)
    ]
    for index, lines in beside.items():
        moments[index][-1] += f"\n{lines}"
    begin = _index_of(move, replay.moments)
    if not step:
        show_long("\n\n".join([head, *map("\n".join, moments[begin:]), end]))
        return
    pages, places = list[str](), list[int]()
    for moment, drawn in zip(replay.moments, moments, strict=True):
        pages += [drawn[0], *(f"Move {moment.move}\n{page}" for page in drawn[1:])]
        places.append(len(pages) - 1)
    pages[-1:] = ["\n\n".join([*pages[-1:], end])]
    title = f"Match {shown.number}; view: {view}"
    walk(
        [f"{head}\n\n{pages[0]}", *(f"{title}\n{page}" for page in pages[1:])],
        [places[start] for start, _ in parts(replay.moments)],
        places[begin] - len(moments[begin]) + 1 if places else 0,
    )


def _beside(results: Database, numbers: Numbers, shown: Match, view: str) -> dict[int, str]:
    """Returns the answers of models by the index of the position in which they decided."""
    from arena_results.replays.views import view_named

    from arena.service.match.transcripts import by_decision, exchange_lines

    seats = view_named(view, len(shown.players)).open_seats
    found = by_decision(results, numbers.tournament, numbers.key, seats)
    if not found:
        say(f"no transcript of match {shown.number} is kept for this view")
    counts: Counter[int] = Counter()
    beside = {}
    for index, moment in enumerate(shown.moments(view)):
        if moment.seat is None:
            continue
        counts[moment.seat] += 1
        if asked := found.get((moment.seat, counts[moment.seat])):
            lines = [line for each in asked for line in exchange_lines(each)]
            beside[index] = "\n".join(lines)
    return beside


def _check_view(view: str, seats: int) -> None:
    from arena_results.replays.views import view_named

    try:
        view_named(view, seats)
    except UnknownName as error:
        raise BadInput(f"--view: {error}") from None


def _index_of(move: int, moments: Sequence[Moment]) -> int:
    """The index of a move's moment; a match without moments begins at its end."""
    if move and (not moments or move > moments[-1].move):
        last = moments[-1].move if moments else 0
        raise BadInput(f"--move {move}: expected 0 to {last}")
    return next((index for index, moment in enumerate(moments) if moment.move >= move), 0)


def _show_logs(shown: Match, view: str) -> None:
    logs, lines = shown.logs(view), list[str]()
    for seat, text in logs.items():
        lines.append(f"{shown.names[seat]} (seat {seat}) printed in match {shown.number}:")
        lines.append(indent(harmless(text.rstrip()), "  "))
    if lines:
        show_long("\n".join(lines))
    if not logs:
        say(f"no log of match {shown.number} is kept: see arena replay --help")


def summary_lines(replay: Replay, labels: Sequence[str]) -> list[str]:
    """A line for each set or hand: who gained by it, the score after it, and its moves."""
    moments = replay.moments
    found = parts(moments) or ([(0, "Match")] if moments else [])
    lines = []
    for (start, name), (end, _) in zip(found, [*found[1:], (len(moments), "")], strict=True):
        # What a seat pays to enter the next hand is paid in both moments that are compared.
        before, last = moments[start].scores, end == len(moments)
        after = replay.ending.scores if last else moments[end].scores
        by = [label for label, a, b in zip(labels, before, after, strict=True) if b > a]
        moves = moments[end - 1 if last else end].move - moments[start].move
        gained = f"{' and '.join(by) or 'nobody'} gained"
        lines.append(f"{name}: {gained}, {score_text(after)}, {counted(moves, 'move')}")
    return lines


def _show_verified(verified: Verified, output: TextOrJson, *, one: bool) -> None:
    if output is TextOrJson.JSON:
        show_json(verified.document())
    if verified.differs:
        say(f"arena: match {verified.differs} is not what its record says: {verified.difference}")
        raise typer.Exit(CHECK_FAILED)
    if output is TextOrJson.TABLE:
        of = "" if one else f" of {verified.matches} matches"
        print(f"verified: {verified.decisions} decisions{of}")


def heading(match: str, replay: Replay, players: Sequence[Participant]) -> list[str]:
    """The match, its players and their loadouts."""
    seed = "" if replay.seed is None else f", seed {replay.seed}"
    lines = [
        f"Match {match}: {replay.game}, {replay.ruleset} (engine {replay.engine}){seed}; "
        f"view: {replay.view}"
    ]
    for seat, player in zip(replay.seats, players, strict=True):
        brings = "" if seat.loadout is None else f", brings {seat.loadout}"
        lines.append(f"  seat {seat.seat}: {player.name} {player.version}{brings}")
    return lines


def moment_pages(moment: Moment, before: Moment | None) -> list[str]:
    """The events since the position before, with each end as it lay; the last page has the
    table, and the decision.
    """
    lines, told = [f"Move {moment.move}"], split_events(moment.events, moment.held)
    scored = before is not None and moment.scores != before.scores
    score = [f"  - the score is {score_text(moment.scores)}"] if scored else []
    last = max(0, sum(not _is_match(scene) for scene in moment.held) - 1)
    pages: list[str] = []
    for number, (scene, events) in enumerate(zip(moment.held, told, strict=False)):
        lines += [f"  - {event}" for event in events]
        if number == last:
            lines += score
        if scene.verdict and _is_match(scene):  # its table is that of the end
            lines.append(verdict_text(scene.verdict))
        else:
            pages.append("\n".join([*lines, draw_text(scene)]))
            lines = []
    lines += [f"  - {event}" for event in told[-1]]
    if not moment.held:
        lines += score
    if moment.table:
        lines.append(moment.table)
    if moment.seat is not None:
        lines.append(f"  > seat {moment.seat} decides: {moment.action}")
    return [*pages, "\n".join(lines)]


def _is_match(scene: Scene) -> bool:
    return scene.verdict is not None and scene.verdict.over == MATCH
