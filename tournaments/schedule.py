"""Scheduling: from a round to its matches, with every seed fixed before anything is played."""

from __future__ import annotations

from arena.core.record import Place
from arena.core.seeding import derive_seed
from arena.core.tournament import Job, Round


def jobs_of_round(
    round: Round, tournament_seed: int, games: int, mirrored: bool = True
) -> tuple[Job, ...]:
    """The matches of a round, pairing by pairing.

    Seeds come from the tournament seed and the match's place alone, so that no field, result or
    order of execution can change them. Leg k has the seats rotated k-1 times.

    Args:
        round: The round.
        tournament_seed: 0 .. 2**53-1.
        games: Matches a pairing, 1 and up.
        mirrored: Whether the legs of a group share their deal. A group is as many legs in a row
            as the pairing has seats, so that everybody plays the deal from every seat: legs 1
            and 2, 3 and 4, ... of two. When ``games`` is no multiple of that, the last group is
            short, and its deal has not been played from every seat.
    """
    jobs: list[Job] = []
    for number, pairing in enumerate(round.pairings, 1):
        seats = pairing.seats
        legs_a_deal = len(seats) if mirrored else 1
        above = ("round", round.number, "pairing", number)
        for leg in range(1, games + 1):
            deal = (leg - 1) // legs_a_deal + 1
            turn = (leg - 1) % len(seats)
            jobs.append(
                Job(
                    place=Place(round.number, number, leg),
                    seed=derive_seed(tournament_seed, *above, "deal", deal),
                    bot_seed=derive_seed(tournament_seed, *above, "bots", leg),
                    seats=seats[turn:] + seats[:turn],
                )
            )
    return tuple(jobs)
