"""Arena: a tournament harness for bots that play card games with hidden hands and chance.

This is the façade for bot authors, extensions, scripts and notebooks: everything they need,
imported when it is first asked for, so that ``import arena`` costs nothing. docs/howto/python.md
shows its functions at work. Nothing inside the project imports from here.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from arena.api import league as league
    from arena.api import stats as stats
    from arena.api.checks import check_bot as check_bot
    from arena.api.checks import check_bot_async as check_bot_async
    from arena.api.checks import check_cases as check_cases
    from arena.api.checks import check_cases_async as check_cases_async
    from arena.api.checks import check_game as check_game
    from arena.api.checks import check_game_async as check_game_async
    from arena.api.checks import describe_game as describe_game
    from arena.api.checks import doctor as doctor
    from arena.api.checks import doctor_async as doctor_async
    from arena.api.checks import export as export
    from arena.api.checks import list_games as list_games
    from arena.api.checks import list_options as list_options
    from arena.api.checks import new_bot as new_bot
    from arena.api.checks import new_game as new_game
    from arena.api.checks import upgrade_database as upgrade_database
    from arena.api.checks import verify_tournament as verify_tournament
    from arena.api.checks import verify_tournament_async as verify_tournament_async
    from arena.api.common.keys import MatchKeys as MatchKeys
    from arena.api.common.keys import TournamentKeys as TournamentKeys
    from arena.api.common.shown import Match as Match
    from arena.api.database.results import ResultsDatabase as ResultsDatabase
    from arena.api.database.results import open_database as open_database
    from arena.api.dry_runs import dry_run as dry_run
    from arena.api.dry_runs import dry_run_async as dry_run_async
    from arena.api.finding import find_matches as find_matches
    from arena.api.match import play_match as play_match
    from arena.api.match import play_match_async as play_match_async
    from arena.api.reports import check_trf as check_trf
    from arena.api.reports import pair_report as pair_report
    from arena.api.reports import report_standings as report_standings
    from arena.api.tournament import Tournament as Tournament
    from arena.core.actions import Action as Action
    from arena.core.bot import Bot as Bot
    from arena.core.bot import MatchContext as MatchContext
    from arena.core.chance.dealer import Sampled as Sampled
    from arena.core.chance.dealer import Scripted as Scripted
    from arena.core.chance.dealer import SeatStreams as SeatStreams
    from arena.core.errors import ArenaError as ArenaError
    from arena.core.errors import BadInput as BadInput
    from arena.core.errors import IllegalAction as IllegalAction
    from arena.core.game import Game as Game
    from arena.core.game import Ruleset as Ruleset
    from arena.core.observation import Observation as Observation
    from arena.core.observation import Offer as Offer
    from arena.core.outcome import Outcome as Outcome
    from arena.core.outcome import Termination as Termination
    from arena.core.record import MatchRecord as MatchRecord
    from arena.core.state import CHANCE as CHANCE
    from arena.core.state import TERMINAL as TERMINAL
    from arena.core.state import State as State
    from arena.core.tournaments.format import Entrant as Entrant
    from arena.core.tournaments.format import Format as Format
    from arena.core.tournaments.format import Pairing as Pairing
    from arena.core.tournaments.format import Round as Round
    from arena.plugins.endpointfile import EndpointBot as EndpointBot
    from arena.plugins.entries import BotEntry as BotEntry
    from arena.service.answers.rows import Row as Row
    from arena.service.lookup.python_bots import PythonBot as PythonBot
    from arena.service.run.watching.progress import Progress as Progress
    from arena.testing.positions import Position as Position

_HOMES = {
    "Action": "arena.core.actions",
    "ArenaError": "arena.core.errors",
    "BadInput": "arena.core.errors",
    "Bot": "arena.core.bot",
    "BotEntry": "arena.plugins.entries",
    "CHANCE": "arena.core.state",
    "EndpointBot": "arena.plugins.endpointfile",
    "Entrant": "arena.core.tournaments.format",
    "Format": "arena.core.tournaments.format",
    "Game": "arena.core.game",
    "IllegalAction": "arena.core.errors",
    "Match": "arena.api.common.shown",
    "MatchContext": "arena.core.bot",
    "MatchKeys": "arena.api.common.keys",
    "MatchRecord": "arena.core.record",
    "Observation": "arena.core.observation",
    "Offer": "arena.core.observation",
    "Outcome": "arena.core.outcome",
    "Pairing": "arena.core.tournaments.format",
    "Position": "arena.testing.positions",
    "Progress": "arena.service.run.watching.progress",
    "PythonBot": "arena.service.lookup.python_bots",
    "ResultsDatabase": "arena.api.database.results",
    "Round": "arena.core.tournaments.format",
    "Row": "arena.service.answers.rows",
    "Ruleset": "arena.core.game",
    "Sampled": "arena.core.chance.dealer",
    "Scripted": "arena.core.chance.dealer",
    "SeatStreams": "arena.core.chance.dealer",
    "State": "arena.core.state",
    "TERMINAL": "arena.core.state",
    "Termination": "arena.core.outcome",
    "Tournament": "arena.api.tournament",
    "TournamentKeys": "arena.api.common.keys",
    "check_bot": "arena.api.checks",
    "check_bot_async": "arena.api.checks",
    "check_cases": "arena.api.checks",
    "check_cases_async": "arena.api.checks",
    "check_game": "arena.api.checks",
    "check_game_async": "arena.api.checks",
    "check_trf": "arena.api.reports",
    "describe_game": "arena.api.checks",
    "doctor": "arena.api.checks",
    "doctor_async": "arena.api.checks",
    "dry_run": "arena.api.dry_runs",
    "dry_run_async": "arena.api.dry_runs",
    "export": "arena.api.checks",
    "find_matches": "arena.api.finding",
    "list_games": "arena.api.checks",
    "list_options": "arena.api.checks",
    "new_bot": "arena.api.checks",
    "new_game": "arena.api.checks",
    "open_database": "arena.api.database.results",
    "pair_report": "arena.api.reports",
    "play_match": "arena.api.match",
    "play_match_async": "arena.api.match",
    "report_standings": "arena.api.reports",
    "league": "arena.api",
    "stats": "arena.api",
    "upgrade_database": "arena.api.checks",
    "verify_tournament": "arena.api.checks",
    "verify_tournament_async": "arena.api.checks",
}

__all__ = sorted(_HOMES)


if not TYPE_CHECKING:  # with it, type checkers would take any name for one of the module

    def __getattr__(name: str) -> object:
        """Imports a name when it is first asked for (PEP 562)."""
        home = _HOMES.get(name)
        if home is None:
            errors = __import__("arena.core.errors", fromlist=["meant"])
            offer = f"it offers {__all__}{errors.meant(name, __all__)}"
            raise AttributeError(f"module 'arena' has no attribute {name!r}; {offer}")
        return getattr(__import__(home, fromlist=[name]), name)  # also of a module


def __dir__() -> list[str]:
    return list(__all__)
