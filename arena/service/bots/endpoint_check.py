"""Checks an endpoint of a language model by one question, before anything is played."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import trio

from arena.core.errors import BadInput, EndpointFailed, IllegalLoadout, ParseError
from arena.core.game import AnyGame
from arena.host.endpoints.calibration import Calibration, calibrate
from arena.host.endpoints.client import open_clients
from arena.host.endpoints.reply import cost_of
from arena.host.prompts.trial import try_template
from arena.plugins.endpoints.spec import AnswerForm, Endpoint

MAX_ASKED = 3
"""Times that a model which gives no answer is asked."""


class EndpointReport(msgspec.Struct, frozen=True):
    """The answer of an endpoint to one question.

    Attributes:
        model: Name of the model.
        answer: The form of answers, which the server keeps.
        seconds: Time to the answer.
        prompt_tokens: Tokens of the question; ``None`` if the endpoint does not say.
        completion_tokens: Tokens of the answer; ``None`` if the endpoint does not say.
        cost: Price of the question in dollars; ``None`` if prices or tokens are not known.
        passed: Always true: what is wrong is an error.
    """

    model: str
    answer: AnswerForm
    seconds: float
    prompt_tokens: int | None
    completion_tokens: int | None
    cost: float | None
    passed: bool = True


def check_endpoint(endpoint: Endpoint, games: Sequence[AnyGame]) -> EndpointReport:
    """Asks an endpoint one question, again if it gives no answer, and returns the findings.

    Args:
        games: Its template is tried on matches of each before it is asked.

    Raises:
        BadInput: The template fails, or the endpoint cannot be asked, or does not keep the form of
            its answers, or ``MAX_ASKED`` times gives none.
    """
    for game in games:
        try:
            try_template(endpoint, game, game.ruleset(""), min(game.seats))
        except BadInput as error:
            raise BadInput(f"{game.name}: {error}") from None
    if endpoint.loadout:
        _check_loadout(endpoint, games)
    try:
        found = trio.run(_calibrated, endpoint)
    except EndpointFailed as failed:
        raise BadInput(failed.reason) from None
    if found.problem:
        raise BadInput(
            f"{endpoint.model}: {found.problem}, {MAX_ASKED} times of {MAX_ASKED}; in a match each "
            "such answer counts as an illegal move"
        )
    usage = found.usage
    return EndpointReport(
        endpoint.model,
        endpoint.answer,
        found.seconds,
        usage.prompt,
        usage.completion,
        cost_of(endpoint, usage),
    )


def _check_loadout(endpoint: Endpoint, games: Sequence[AnyGame]) -> None:
    """Refuses a loadout that no game accepts under its first ruleset."""
    wrong = []
    for game in games:
        rules, loadouts = game.ruleset(""), game.loadouts
        if loadouts.offer(rules, 0) is None:
            continue
        try:
            loadouts.accept(rules, loadouts.parse(endpoint.loadout))
        except (ParseError, IllegalLoadout) as error:
            wrong.append(f"{game.name}: {error}")
        else:
            return
    raise BadInput(f"loadout: {'; '.join(wrong) or 'no game has any'}")


async def _calibrated(endpoint: Endpoint) -> Calibration:
    async with open_clients([endpoint]) as [client]:
        for _ in range(MAX_ASKED):
            found = await calibrate(client)
            if not found.problem:
                break
        return found
