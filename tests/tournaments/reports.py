"""TRF reports in tests: reading them, cutting them, and the pairing library as an oracle."""

from __future__ import annotations

from pathlib import Path
from random import Random

from arena_tournaments.dutch.rounds import pair_next_round
from arena_tournaments.scoring.scoring import History, Turn
from arena_tournaments.trf.report import Cell, Player, Report
from arena_tournaments.trf.tournament import report_of_swiss
from arena_tournaments.trf.writing import write_trf
from msgspec.structs import replace

DATA = Path(__file__).parent / "data"
_SCORES = {"1": 1.0, "+": 1.0, "U": 1.0, "F": 1.0, "=": 0.5, "H": 0.5}
_CELL = 10
_FIRST_CELL = 89


def lines_of(path):
    text = path.read_text(encoding="latin-1")
    return [line for line in text.replace("\r", "\n").split("\n") if line]


def cells_of(line):
    """The rounds of a player's record: opponent (0 for none), colour, result."""
    cells = [line[at : at + _CELL].ljust(_CELL) for at in range(_FIRST_CELL, len(line), _CELL)]
    return [(int(cell[2:6].strip() or 0), cell[7], cell[9]) for cell in cells]


def players_of(lines):
    return [line for line in lines if line.startswith("001")]


def rounds_of(lines):
    return max(len(cells_of(line)) for line in players_of(lines))


def expected_pairs(lines, number):
    """The pairs of one round of a report of a whole tournament; 0 for the bye."""
    pairs = set()
    for line in players_of(lines):
        opponent, colour, result = cells_of(line)[number - 1]
        if opponent and colour == "w":
            pairs.add((int(line[4:8]), opponent))
        elif not opponent and result == "U":
            pairs.add((int(line[4:8]), 0))
    return pairs


def report_before(lines, number):
    """The report as it stood before a round: later rounds cut off, absences of the round kept."""
    records = []
    initial_colour = ""
    for line in lines:
        if not line.startswith("001"):
            continue
        cells = cells_of(line)
        kept = cells[: number - 1]
        if not cells[number - 1][0] and cells[number - 1][2] != "U":
            kept.append((0, "-", "Z"))
        score = sum(_SCORES.get(result, 0.0) for _, _, result in kept)
        written = "".join(
            f"  {opponent or '0000':>4} {colour} {result}" for opponent, colour, result in kept
        )
        records.append(f"{line[:80]}{score:4.1f}{line[84:89]}{written}")
        if not initial_colour and cells[0][0]:
            odd = int(line[4:8]) % 2 == 1
            initial_colour = "W" if (cells[0][1] == "w") == odd else "B"
    return "\n".join([*records, f"142 {rounds_of(lines)}", f"152 {initial_colour}", ""])


def play_report(size, rounds, seed):
    """A random Swiss as a report: forfeits, byes on request, withdrawals, late entries."""
    rng = Random(seed)
    cells = dict.fromkeys(range(1, size + 1), ())
    late = {number: rng.choice([0, 0, 0, 1, 2]) for number in cells}
    gone = set()
    for round in range(1, rounds + 1):
        gone |= {number for number in cells if rng.random() < 0.03}
        asked = {number: "Z" for number in cells if number in gone or late[number] >= round}
        asked |= {number: rng.choice("HHFZ") for number in cells if rng.random() < 0.05}
        asked_for = {number: (*cells[number], Cell(result=asked[number])) for number in asked}
        if len(asked_for) == size:
            break
        pairs = pair_next_round(_report(cells | asked_for, rounds))
        if pairs is None:
            break
        cells |= asked_for
        for white, black in pairs:
            if not black:
                cells[white] += (Cell(result="U"),)
                continue
            results = rng.choice(["10", "10", "01", "01", "==", "==", "+-", "-+", "--", "WL", "DD"])
            cells[white] += (Cell(black, "w", results[0]),)
            cells[black] += (Cell(white, "b", results[1]),)
    return _report(cells, rounds)


def _report(cells, rounds):
    players = tuple(Player(number=number, cells=mine) for number, mine in cells.items())
    return Report(rounds=rounds, players=players, initial_colour="w")


def report_of(size, played, rounds):
    """A tournament of ours as a report."""
    return write_trf(report_of_swiss([""] * size, played, rounds))


def history_of(lines):
    """A report of a tournament that scores games, as a history."""
    return History(tuple(tuple(map(_turn, cells_of(line))) for line in players_of(lines)))


def _turn(cell):
    opponent, colour, result = cell
    return Turn(
        score=_SCORES.get(result, 0.0),
        points=_SCORES.get(result, 0.0),
        opponents=(opponent - 1,) if opponent else (),
        first=colour == "w",
        played=result not in "+-",
        voluntary=result in "-HZ",
    )


def oracle(report, rounds, names, *, round_robin=False):
    """Ranks and tie-break values by the library ``gacrux``, one entry a participant."""
    from gacrux.tiebreak import tiebreak
    from gacrux.trf2json import trf2json

    reader = trf2json()
    reader.parse_file(report, 0)
    tournament = reader.get_tournament(1)
    options = {
        "tiebreak": list(names),
        "check": False,
        "pre_determined": round_robin,
        "swiss": not round_robin,
    }
    result = tiebreak(tournament, rounds, options).compute_tiebreaks(tournament, options)
    return [
        (line["rank"], [None if value is None else float(value) for value in line["tiebreakScore"]])
        for line in sorted(result["competitors"], key=lambda line: line["cid"])
    ]


def report_at(report, number):
    """A report as it stood before a round, as text; who had no game in the round is absent."""
    byes = {}
    players = []
    for player in report.players:
        for cell in player.cells[number - 1 : number]:
            if not cell.opponent and cell.result != "U":
                byes[number, player.number] = cell.result
        cut = replace(player, cells=player.cells[: number - 1])
        players.append(replace(cut, points=sum(report.scores(cut, number - 1))))
    return write_trf(replace(report, players=tuple(players), byes=byes))


def expected_of(report, number):
    """The pairs of one round of a report, White first; 0 for the bye."""
    cells = [(each.number, each.cells[number - 1]) for each in report.players]
    pairs = {(who, cell.opponent) for who, cell in cells if cell.colour == "w"}
    return pairs | {(who, 0) for who, cell in cells if cell.result == "U"}


def pairs_of_the_library(report, number):
    """The pairs of a round by the library ``gacrux``, White first; 0 for the bye.

    It orders boards by the lower number of a pair, where C.04.2, 3.6 has the higher ranked player.
    """
    from gacrux.pairingdutch import pairing_dutch
    from gacrux.trf2json import trf2json

    reader = trf2json()
    reader.parse_file(report, 0)
    options = {"experimental": [], "verbose": 0, "top_color": "w"}
    brackets = pairing_dutch(reader.get_tournament(1), number, options).compute_pairing(False)
    return {(pair["w"], pair["b"]) for bracket in brackets for pair in bracket["pairs"]}
