"""The transcripts in docs/reference/protocol.md: real matches of a real program.

``python -m tests.protocol.transcripts`` plays them again and writes them anew.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from arena_bots.pazaak.stand_at import StandAt
from arena_bots.sabacc.equity_bettor import EquityBettor

from arena.core.game import AnyGame
from arena.games.pazaak.game import Pazaak
from arena.games.sabacc.game import Sabacc
from tests.protocol.conversation import Opponent, Program, play

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "reference" / "protocol.md"
PROGRAM = ROOT / "examples" / "bots" / "no_sdk"
MATCHES: tuple[tuple[AnyGame, str, Opponent, int], ...] = (
    (Pazaak(), "standard(max_sets=1)", StandAt, 8),
    (Sabacc(), "old_republic(betting=poker,hands=1,mode=chips)", EquityBettor, 17),
)
"""Game, ruleset, opponent, and number of the match, which is its seed."""


def transcript(game: AnyGame, ruleset: str, opponent: Opponent, number: int) -> str:
    """Every line of one match; lines of the harness point right, lines of the bot left."""
    program = Program((sys.executable, "bot.py"), PROGRAM, game)
    play(program, game, ruleset, opponent, [number])
    program.end()
    arrows = {">": "→", "<": "←"}
    return "\n".join(f"{arrows[side]} {line}" for side, line in program.lines)


def with_transcript(page: str, name: str, text: str) -> str:
    """The page with that transcript in its place."""
    place = re.compile(rf"(<!-- transcript: {name} -->\n```\n).*?(\n```\n)", re.DOTALL)
    assert place.search(page), f"the page has no place for the transcript of {name}"
    return place.sub(lambda found: found[1] + text + found[2], page)


def written_anew(page: str) -> str:
    """The page with transcripts of matches played now."""
    for game, ruleset, opponent, number in MATCHES:
        text = transcript(game, ruleset, opponent, number)
        page = with_transcript(page, game.name, text)
    return page


if __name__ == "__main__":
    PAGE.write_text(written_anew(PAGE.read_text("utf-8")), "utf-8")
