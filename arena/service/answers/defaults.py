"""Defaults and bounds of services, which commands read before they load a service."""

DECISION_SECONDS = 600.0
"""Seconds that a person has for a decision."""
REPLAYS = 20
"""Matches that a report has as replays, the closest ones."""
REASKED_MATCHES = 100
"""Matches of which a bot is asked again."""
LEARNED_MATCHES = 100_000
"""Most matches that are learned from: 4 GB of memory."""
HALF_POINT = 0.5
"""The score of a bye on request, as a share of a pairing."""
HOST, PORT = "127.0.0.1", 8000
"""The address at which the site listens: for this machine only."""
MAX_PORT = 65_535
"""The largest number of a port; 0 is any that is free."""
LETTER_DECISIONS = 20
"""Lost matches of each bot that are searched for its worst decisions."""
EXPLOIT_DRAWS = 32
"""Seeds with which a bot that draws lots is asked."""
EXPLOIT_DEALS = 200
"""Deals of the match against a best response."""
EXPLOIT_STATES = 100_000
"""Most states of a game that can be solved."""
SEARCH_DEALS = 40
"""Deals of the match of a searching responder."""
SOLVER_DEALS = 400
"""Deals of the match of a responder that solves, which takes less time for each."""
SEARCH_WORLDS = 24
"""Worlds in which such a responder tries each action."""
