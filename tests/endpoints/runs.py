"""Tournaments with a fake endpoint by the command line."""

import json
from collections import Counter

from arena_results.file.database import open_database
from arena_results.store.exchanges import exchanges

from tests.cli.tournament_runs import Place

PARALLEL = 4
FIELD = ("--game", "pazaak", "--bot", "gpt.toml", "--bot", "stand", "--isolation", "trusted")
RUN = ("tournament", "run", *FIELD, "--games", "24", "--seed", "7")
PRICES = {"price_in": 1000.0, "price_out": 1000.0, "max_tokens": 100}
"""Dollars for a million tokens: a question costs half a dollar, about."""


def write_endpoint(folder, url, name="gpt", **keys):
    """Writes an endpoint file; values of the keys replace those of a model that counts."""
    keys = {"kind": "endpoint", "url": url, "model": "counter", "parallel": PARALLEL} | keys
    lines = [f"{key} = {json.dumps(value)}\n" for key, value in keys.items()]
    (folder / f"{name}.toml").write_text("".join(lines))


def place_with(folder, url, preloaded=None, **keys):
    """Makes a place with an endpoint file."""
    folder.mkdir(exist_ok=True)
    write_endpoint(folder, url, **keys)
    return Place(folder, preloaded)


def kept(place):
    """Returns the exchanges that a place has in its database."""
    with open_database(place.url) as database:
        return [each.exchange for each in exchanges(database, 1)]


def asked(fake):
    """Returns the number of times that each question was asked, by the digest of its body."""
    return Counter(fake.stats()["digests"])


def digests(exchanges):
    """Returns the digests of exchanges as the fake has them."""
    return {each.question.digest.hex() for each in exchanges}
