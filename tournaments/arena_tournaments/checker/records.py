"""Checks that records fit together: opponents, results, byes, players, meetings, accelerations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations

from msgspec.structs import replace

from arena.core.text.printable import joined
from arena_tournaments.checker.finding import Finding
from arena_tournaments.checker.mending import cells_of_round, fits
from arena_tournaments.trf.checking import contradictions, free_win, given_byes
from arena_tournaments.trf.reading import Flawed
from arena_tournaments.trf.report import Cell, Player, Report, numbers_of

_COLOURS = {"w": "White", "b": "Black"}


def unreadable(flawed: Flawed) -> Iterator[Finding]:
    """Yields what cannot be read."""
    for flaw in flawed.flaws:
        yield Finding(
            kind=flaw.kind,
            finding=flaw.problem,
            round=flaw.round,
            player=flaw.player,
            line=flaw.line,
        )


def opponents(report: Report, lines: Mapping[int, int]) -> Iterator[Finding]:
    """Yields opponents, colours and results that contradict each other; of a game only once."""
    players = numbers_of(report.players)
    named: set[tuple[int, int]] = set()
    for each in contradictions(report):
        game = (each.round, min(each.player, each.other))
        if each.kind == "opponent" or game not in named:
            yield Finding(
                kind=each.kind,
                finding=each.problem,
                round=each.round,
                player=each.player,
                found=_game(players, each.player, each.round),
                line=lines[each.player],
            )
        named.add(game)
    for player in report.players:
        for round, cell in enumerate(player.cells, 1):
            if player.number < cell.opponent and (round, player.number) not in named:
                yield from _unlike(players, player, round, lines)


def _unlike(
    players: Mapping[int, Player], player: Player, round: int, lines: Mapping[int, int]
) -> Iterator[Finding]:
    cell = player.cells[round - 1]
    mine, theirs = cell.result, players[cell.opponent].cells[round - 1].result
    if not fits(mine, theirs):
        yield Finding(
            kind="result",
            finding=f"results {mine} and {theirs} with {cell.opponent} do not fit",
            round=round,
            player=player.number,
            found=_game(players, player.number, round),
            line=lines[player.number],
        )


def _game(players: Mapping[int, Player], number: int, round: int) -> str:
    """Returns a game as both records have it: ``5 w 1, 9 b 1``."""
    cell = players[number].cells[round - 1]
    texts = [f"{number} {cell.colour} {cell.result}"]
    other = players.get(cell.opponent)
    if other is not None and len(other.cells) >= round:
        their = other.cells[round - 1]
        texts.append(f"{other.number} {their.colour} {their.result}")
    return ", ".join(texts)


def references(report: Report) -> Iterator[Finding]:
    """Yields records of players that are not there, and a wrong number of players or rounds."""
    players = numbers_of(report.players)
    named = {
        "240": [number for _, number in report.byes],
        "XXZ": report.absent,
        "260, XXP": [number for group in report.forbidden for number in group.numbers],
        "250, XXA": [each.first for each in report.accelerations],
        "299": report.adjustments,
    }
    for code, numbers in named.items():
        for number in sorted({*numbers} - players.keys()):
            yield Finding(
                kind="player", finding=f"record {code}: there is no player {number}", player=number
            )
    for line in report.other:
        words = line[3:].split()
        if line.startswith("062") and words and words[0].lstrip("0") != str(len(players)):
            yield Finding(
                kind="player",
                finding="the number of players (062) is not that of the records 001",
                expected=str(len(players)),
                found=words[0],
            )
    played = report.played_rounds
    if report.rounds and played > report.rounds:
        yield Finding(
            kind="rounds",
            finding="more rounds were played than the file says (142, XXR)",
            expected=str(report.rounds),
            found=str(played),
        )


def accelerations(report: Report) -> Iterator[Finding]:
    """Yields rounds with virtual points that the type of tournament does not give (C.04.5.1)."""
    if not (report.accelerations and report.system.endswith("_BAKU") and report.rounds):
        return
    usual = replace(report, accelerations=())
    for round in range(1, report.rounds + 1):
        expected = {*usual.virtual_points(round).values()}
        found = {*report.virtual_points(round).values()} - {0}
        if expected != found:
            yield Finding(
                kind="acceleration",
                finding=f"other virtual points (250, XXA) than {report.system}",
                round=round,
                expected=_listed(expected),
                found=_listed(found),
            )


def _listed(points: set[int]) -> str:
    return " ".join(f"{each / 10:.1f}" for each in sorted(points)) or "0.0"


def byes(report: Report, lines: Mapping[int, int]) -> Iterator[Finding]:
    """Yields byes that records 240 do not have."""
    players = numbers_of(report.players)
    for (round, number), kind in sorted(report.byes.items()):
        if number in players and len(players[number].cells) >= round:
            cell = players[number].cells[round - 1]
            if cell.opponent or cell.result != kind:
                yield _bye(
                    round, number, lines, "record 240 names another entry", kind, _entry(cell)
                )


def second_byes(
    report: Report, lines: Mapping[int, int], free: frozenset[int], begin: Mapping[int, int]
) -> Iterator[Finding]:
    """Yields second allocated byes, of a player and of a round.

    Args:
        free: Rounds that the rules leave to the arbiter.
        begin: The number of rounds before each round's cycle.
    """
    players = numbers_of(report.players)
    for round in sorted({*range(1, report.played_rounds + 2)} - free):
        given = given_byes(report, round)
        for number in given:
            if before := free_win(report, players[number], round - 1, begin.get(round, 0)):
                text = f"a second bye: it won without a game in round {before} (C.04.3, C2)"
                yield _bye(round, number, lines, text, "", "U")
            if len(given) > 1:
                text = f"one of {len(given)} byes, and a round has one (C.04.3, 1.5)"
                yield _bye(round, number, lines, text, "", joined([*map(str, given)]))


def _bye(
    round: int, number: int, lines: Mapping[int, int], text: str, expected: str, found: str
) -> Finding:
    return Finding(
        kind="bye",
        finding=text,
        round=round,
        player=number,
        expected=expected,
        found=found,
        line=lines[number],
    )


def _entry(cell: Cell) -> str:
    return f"{cell.opponent} {cell.colour} {cell.result}" if cell.opponent else cell.result


def meetings(report: Report, free: frozenset[int], begin: Mapping[int, int]) -> Iterator[Finding]:
    """Yields players that met before, or must not meet.

    Args:
        free: Rounds that the rules leave to the arbiter.
        begin: The number of rounds before each round's cycle.
    """
    met: dict[tuple[int, int], int] = {}
    for round in range(1, report.played_rounds + 1):
        cells = cells_of_round(report, round)
        apart = {
            pair
            for group in report.forbidden
            if group.first_round <= round <= (group.last_round or round)
            for pair in combinations(sorted(set(group.numbers)), 2)
        }
        for number, cell in cells.items():
            pair = (number, cell.opponent)
            if not number < cell.opponent:
                continue
            if round not in free:
                if cell.played and met.get(pair, 0) > begin.get(round, 0):
                    yield _met("repeat", round, pair, f"they met in round {met[pair]}")
                if pair in apart:
                    yield _met("forbidden", round, pair, "they must not meet (260, XXP)")
            if cell.played:
                met[pair] = round


def _met(kind: str, round: int, pair: tuple[int, int], text: str) -> Finding:
    return Finding(
        kind=kind, finding=text, round=round, player=pair[0], found=f"{pair[0]} - {pair[1]}"
    )


def colours_in_a_row(report: Report, free: frozenset[int]) -> Iterator[Finding]:
    """Yields third equal colours in a row and differences of three, which no Swiss gives.

    The last round may (C.04.1, 6 and 7).
    """
    last = report.rounds or report.played_rounds
    for player in report.players:
        had = ""
        for round, cell in enumerate(player.cells, 1):
            if not cell.played or cell.colour not in _COLOURS:
                continue
            had += cell.colour
            if round >= last or round in free:
                continue
            third = had[-3:] in ("www", "bbb")
            if third or abs(2 * had.count("w") - len(had)) > 2:
                often = "for the third time in a row" if third else "three times more often"
                yield Finding(
                    kind="colour",
                    finding=f"{_COLOURS[cell.colour]} {often}",
                    round=round,
                    player=player.number,
                    found=had,
                )
