"""Shows what a tournament's seeds are derived from: an open seed, or a key once it is no secret."""

from __future__ import annotations

from collections.abc import Iterable

from arena_results.rows import Status, TournamentSummary

from arena.core.seeding import SeedOrigin, SeedSource
from arena.plugins.entries import BotSource

_WARNINGS = {
    SeedOrigin.OPEN_SEED: "a bot can find an open seed by trying, and every card with it; "
    "leave the seed out to draw a secret key",
    SeedOrigin.GIVEN_KEY: "an author who knows the given key knows every card; "
    "leave the key out to draw a secret one",
}
_WARNINGS[SeedOrigin.FORMER_SEED] = _WARNINGS[SeedOrigin.OPEN_SEED]


def seeds_text(tournament: TournamentSummary) -> str:
    """The seed or the key in words; a key has its digits once the tournament is finished."""
    seeds, key = tournament.seeds, shown_key(tournament)
    if seeds.seed is not None:
        return f"open seed {seeds.seed}"
    return f"{seeds.origin} {key}" if key else str(seeds.origin)


def shown_key(tournament: TournamentSummary) -> str | None:
    """The key once the tournament is finished; before, it decides cards that are still to come."""
    return tournament.key if tournament.status is Status.FINISHED else None


def open_warning(seeds: SeedSource, bots: Iterable[BotSource]) -> str | None:
    """A warning when bots that are not trusted play deals that could be known; else ``None``."""
    names = [bot.participant.name for bot in bots if not bot.trusted and bot.kind != "house"]
    if not names or not seeds.open:
        return None
    return f"warning: {', '.join(names)}: {_WARNINGS[seeds.origin]}"
