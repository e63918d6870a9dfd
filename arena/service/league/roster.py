"""Keeps the field of a league's tournament equal to the submitted bots that are enabled."""

from __future__ import annotations

from arena_results.bots.submissions import Submission, SubmissionStatus, submissions
from arena_results.file.database import Database
from arena_results.schema.rows import StoredTournament
from arena_tournaments.play.rulings import has_left

from arena.core.errors import BadInput
from arena.service.run.changes.rulings import Rulings


class Roster:
    """Keeps the field of a season equal to the submitted bots that are enabled.

    Args:
        rulings: The decisions on the tournament of the season.
        database: Has the submitted bots.
        game: The game of the league.
        enters: Whether further bots enter.
    """

    def __init__(
        self, rulings: Rulings, database: Database, game: str, *, enters: bool = True
    ) -> None:
        self._rulings, self._database, self._game = rulings, database, game
        self._enters = enters
        self._seen: list[tuple[int, SubmissionStatus]] = []

    def bring_up_to_date(self) -> tuple[str, ...]:
        """Enters the enabled bots that are not in the tournament, and withdraws disabled ones.

        A bot that has left does not come back: a new version of it enters. One that cannot enter is
        not tried again until some bot changes.

        Returns:
            A line for people for each change.
        """
        bots = [each for each in submissions(self._database) if self._game in each.games]
        now = [(each.id, each.status) for each in bots]
        if now == self._seen:
            return ()
        stored = self._rulings.stored()
        found = [self._change(stored, each) for each in bots]
        self._seen = now  # what raises an error is tried again
        return tuple(line for line in found if line)

    def _change(self, stored: StoredTournament, bot: Submission) -> str:
        entry, enabled = _entry(stored, bot), bot.status is SubmissionStatus.ENABLED
        try:
            if enabled and entry is None and self._enters:
                self._rulings.add(bot.spelling)
                return f"{bot.spelling} enters"
            if not enabled and entry is not None and not has_left(stored.rulings, entry):
                self._rulings.withdraw(_name(self._rulings.stored(), bot))
                return f"{bot.spelling} leaves"
        except BadInput as error:
            return f"{bot.spelling} cannot {'enter' if enabled else 'leave'}: {error}"
        return ""


def _name(stored: StoredTournament, bot: Submission) -> str:
    entry = _entry(stored, bot)
    assert entry is not None
    return stored.names[entry]


def _entry(stored: StoredTournament, bot: Submission) -> int | None:
    for index, entry in enumerate(stored.field):
        about = entry.participant
        same = (about.name, about.version) == (bot.name, bot.version)
        if same and about.content == bot.content:
            return index
    return None
