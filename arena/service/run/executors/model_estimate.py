"""Estimates calls, tokens, cost and time of the language models of a tournament."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from arena.plugins.endpoints.spec import Endpoint
from arena.plugins.entries import BotSource

PROBLEM_TOKENS = 60
"""Tokens about that tell a model why its answer was not legal."""


class QuestionFigures(msgspec.Struct, frozen=True, kw_only=True):
    """The tokens and the time of a question, as a calibration measured them.

    Attributes:
        prompt: Tokens of its prompt; ``None`` if the endpoint does not say.
        completion: Tokens of its answer; ``None`` if the endpoint does not say.
        seconds: Time of the call.
        loadouts: Number of loadouts that it is asked for in a match.
    """

    prompt: float | None
    completion: float | None
    seconds: float
    loadouts: int = 0


class ModelShare(msgspec.Struct, frozen=True, kw_only=True):
    """The calls, tokens, time and cost of one endpoint in a number of matches.

    Attributes:
        name: Its name.
        calls: Number of its calls, if each first answer is legal.
        tokens: Tokens of prompts and answers; ``None`` where that is not known.
        cost: Dollars; ``None`` where that is not known.
        seconds: Time of its calls, as many at a time as it takes.
        tries: Its attempts per decision.
        most_calls: Number of its calls, if each decision takes all attempts.
        most_cost: Dollars of these; ``None`` where that is not known.
    """

    name: str
    calls: float
    tokens: float | None
    cost: float | None
    seconds: float
    tries: int
    most_calls: float
    most_cost: float | None


class ModelEstimate(msgspec.Struct, frozen=True, kw_only=True):
    """The calls, tokens, time and cost of all endpoints in a number of matches.

    Attributes:
        matches: The number of matches.
        shares: The endpoints, in the order of the field.
    """

    matches: int
    shares: tuple[ModelShare, ...]

    @property
    def calls(self) -> float:
        """Number of calls."""
        return sum(each.calls for each in self.shares)

    @property
    def tokens(self) -> float | None:
        """Tokens; ``None`` if one endpoint's are not known."""
        return _total([each.tokens for each in self.shares])

    @property
    def cost(self) -> float | None:
        """Dollars; ``None`` if one endpoint's are not known."""
        return _total([each.cost for each in self.shares])

    @property
    def most_calls(self) -> float:
        """Number of calls, if each decision takes all attempts."""
        return sum(each.most_calls for each in self.shares)

    @property
    def most_cost(self) -> float | None:
        """Dollars of these calls; ``None`` if one endpoint's are not known."""
        return _total([each.most_cost for each in self.shares])

    @property
    def seconds(self) -> float:
        """Time of the slowest endpoint, as they are asked side by side."""
        return max(each.seconds for each in self.shares)

    def document(self) -> dict[str, object]:
        """Returns it as in the document of a dry run."""
        return {
            "matches": self.matches,
            "calls": round(self.calls),
            "tokens": None if self.tokens is None else round(self.tokens),
            "cost": _dollars(self.cost),
            "most_calls": round(self.most_calls),
            "most_cost": _dollars(self.most_cost),
            "seconds": round(self.seconds, 1),
            "endpoints": [
                {
                    "name": each.name,
                    "calls": round(each.calls),
                    "tokens": None if each.tokens is None else round(each.tokens),
                    "cost": _dollars(each.cost),
                    "most_calls": round(each.most_calls),
                    "most_cost": _dollars(each.most_cost),
                    "seconds": round(each.seconds, 1),
                }
                for each in self.shares
            ],
        }


def model_estimate(
    bots: Sequence[BotSource],
    names: Sequence[str],
    figures: Mapping[str, QuestionFigures],
    decisions: float,
    seats: int,
    matches: int,
) -> ModelEstimate | None:
    """Estimates what endpoints take, as if all bots of the field played equally often.

    Args:
        bots: The field.
        names: What to call its bots.
        figures: What a question of each endpoint takes, by name; one without is left out.
        decisions: Mean number of decisions of a seat in a match.
        seats: Seats of a table.
        matches: Number of matches.

    Returns:
        ``None`` where nothing is known of any endpoint.
    """
    played = matches * seats / len(bots)
    shares = tuple(
        _share(name, bot.endpoint, figures[name], played * (decisions + figures[name].loadouts))
        for name, bot in zip(names, bots, strict=True)
        if bot.endpoint is not None and name in figures
    )
    return ModelEstimate(matches=matches, shares=shares) if shares else None


def _share(name: str, endpoint: Endpoint, one: QuestionFigures, calls: float) -> ModelShare:
    tokens = cost = most_cost = None
    tries = endpoint.tries
    if one.prompt is not None and one.completion is not None:
        tokens = calls * (one.prompt + one.completion)
        if endpoint.price_in is not None and endpoint.price_out is not None:
            paid = one.prompt * endpoint.price_in + one.completion * endpoint.price_out
            cost = calls * paid / 1e6
            longer = tries * (tries - 1) / 2 * (one.completion + PROBLEM_TOKENS)
            most_cost = calls * (tries * paid + longer * endpoint.price_in) / 1e6
    seconds = calls * one.seconds / endpoint.parallel
    return ModelShare(
        name=name,
        calls=calls,
        tokens=tokens,
        cost=cost,
        seconds=seconds,
        tries=tries,
        most_calls=tries * calls,
        most_cost=most_cost,
    )


def _dollars(value: float | None) -> float | None:
    return None if value is None else round(value, 6)


def _total(parts: Sequence[float | None]) -> float | None:
    known = [each for each in parts if each is not None]
    return sum(known) if len(known) == len(parts) else None
