"""The cards and the buttons of a player: made from the legal actions and the scene of a request."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from arena.core.choices import Choice
from arena.core.scene import Face, Scene
from arena.service.match.person import Request
from arena.service.match.person_choices import first_letters


class OwnCard(msgspec.Struct, frozen=True):
    """A card of the own hand.

    Attributes:
        place: Its place in the hand, from 0.
        like: The first place with a card that looks the same.
        name: Its name, for people without the picture.
        usable: Whether an action uses it.
    """

    place: int
    like: int
    face: Face
    name: str
    usable: bool


class Button(msgspec.Struct, frozen=True, kw_only=True):
    """An action as a button.

    Attributes:
        number: Its number among the actions, from 1, which the form sends.
        words: Its text; with ``{}`` for the amount.
        key: Its key; empty if it has none.
        uses: The cards that it uses, by ``OwnCard.like``.
        least: The least amount, where there are amounts.
        most: The greatest.
    """

    number: int
    words: str
    key: str = ""
    uses: tuple[int, ...] = ()
    least: int | None = None
    most: int | None = None


class Hand(msgspec.Struct, frozen=True, kw_only=True):
    """The cards of a player, and the actions to choose from.

    Attributes:
        cards: The own cards that the player sees.
        worth: Their common value in words.
        many: Whether actions use several cards at once.
        plays: The actions that use cards.
        puts: The actions with an amount, which one field sets.
        buttons: All others.
        verb: The first word of the actions that use cards.
    """

    cards: tuple[OwnCard, ...] = ()
    worth: str = ""
    many: bool = False
    plays: tuple[Button, ...] = ()
    puts: tuple[Button, ...] = ()
    buttons: tuple[Button, ...] = ()
    verb: str = ""

    @property
    def least(self) -> int:
        """The least amount of any action."""
        return min(each.least or 0 for each in self.puts)

    @property
    def most(self) -> int:
        """The greatest amount of any action."""
        return max(each.most or 0 for each in self.puts)


RESERVED = frozenset("hqr")
"""Letters of the page's own keys."""


def hand_of(request: Request, scene: Scene | None) -> Hand:
    """Returns the own cards of a question's scene, and its actions as buttons."""
    zone = scene.zone(request.zone, request.seat) if scene else None
    faces = [face for face in zone.cards if not face.hidden] if zone else []
    likes = [faces.index(face) for face in faces]
    used = {place for choice in request.choices for place in choice.cards}
    made = _buttons(request.choices, likes)
    plays = tuple(each for each in made if each.uses)
    like_used = {likes[place] for place in used if place < len(likes)}
    cards = [
        OwnCard(place, likes[place], face, str(face), likes[place] in like_used)
        for place, face in enumerate(faces)
    ]
    return Hand(
        cards=tuple(cards),
        worth=zone.worth if zone else "",
        many=any(len(each.uses) > 1 for each in plays),
        plays=plays,
        puts=tuple(each for each in made if each.least is not None),
        buttons=tuple(each for each in made if each.least is None and not each.uses),
        verb=plays[0].words.split()[0] if plays else "",
    )


def using(hand: Hand, places: Sequence[int]) -> list[int]:
    """Returns the numbers of the actions that use exactly the cards at some places."""
    known = {card.place: card.like for card in hand.cards}
    likes = tuple(sorted(known.get(place, -1) for place in places))
    return [each.number for each in hand.plays if each.uses == likes]


def _buttons(choices: Sequence[Choice], likes: Sequence[int]) -> list[Button]:
    put = [number for number, choice in enumerate(choices, 1) if choice.least is not None]
    plain = [
        number
        for number, choice in enumerate(choices, 1)
        if not choice.cards and [number] != put  # the only amount is put by Enter
    ]
    words = [choices[number - 1].words for number in plain]
    keys = {plain[at]: key for key, at in first_letters(words, RESERVED).items()}
    if not any(choice.cards for choice in choices):  # else digits choose cards
        keys = {number: keys.get(number, str(number)) for number in plain}
    return [
        Button(
            number=number,
            words=choice.words or choice.text,
            key=keys.get(number, ""),
            uses=tuple(sorted(likes[place] for place in choice.cards if place < len(likes))),
            least=choice.least,
            most=choice.most,
        )
        for number, choice in enumerate(choices, 1)
    ]
