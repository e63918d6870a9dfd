"""``check_game`` on messages to bots in other processes and other languages."""

import re

import pytest

from arena.core.actions import Action
from arena.core.observation import Offer
from arena.core.parts import Wire
from arena.games.pazaak.engine.wire import PACKING
from arena.games.pazaak.game import Pazaak
from arena.testing.check_game import check_game
from tests.broken_game import with_parts
from tests.sizes import volume
from tests.table_game import broken as broken_table
from tests.testing.toy_game import PASS, RAISE, RULES, Toy, ToyNotation, ToyObservation, broken


def forgets_the_card(self, ruleset, packed):
    seen = Wire.unpack(self, ruleset, packed)
    return ToyObservation(seen.seat, seen.legal_actions, seen.history, -1, seen.extra)


def actions_of_its_own(self, ruleset, packed):
    seen = Wire.unpack(self, ruleset, packed)
    legal = tuple(Action(action.id, action.text) for action in seen.legal_actions)
    return ToyObservation(seen.seat, legal, seen.history, seen.card, seen.extra)


class EqualAction(Action, frozen=True, eq=True):
    pass


EQUALS = tuple(EqualAction(action.id, action.text) for action in (PASS, RAISE))


def equal_actions(self, ruleset, packed):
    seen = Wire.unpack(self, ruleset, packed)
    legal = tuple(EqualAction(action.id, action.text) for action in seen.legal_actions)
    return ToyObservation(seen.seat, legal, seen.history, seen.card, seen.extra)


def new_events(self, share=False):
    """A packer that leaves out events which it has sent before: to that seat, or to any."""
    sent = {}

    def pack(state, seat):
        seen = state.observation(seat)
        key = None if share else seat
        before, sent[key] = sent.get(key, 0), len(seen.history)
        history = seen.history[before:]
        return self.pack(ToyObservation(seat, seen.legal_actions, history, seen.card, seen.extra))

    return pack


def keeping(self, ruleset):
    """An unpacker that puts the events together."""
    history = b""

    def unpack(packed):
        nonlocal history
        seen = self.unpack(ruleset, packed)
        history += seen.history
        return ToyObservation(seen.seat, seen.legal_actions, history, seen.card, seen.extra)

    return unpack


def sometimes(self, observation):
    description = Wire.describe(self, observation)
    return {**description, "extra": b"\x00"} if len(observation.history) > 3 else description


def describing(**changes):
    """A description that differs from the right one."""
    return lambda self, observation: {**Wire.describe(self, observation), **changes}


def lacking(*fields):
    """A description without some fields."""
    return lambda self, observation: {
        key: value for key, value in Wire.describe(self, observation).items() if key not in fields
    }


def with_notation(**methods):
    return type("BrokenNotation", (ToyNotation,), methods)()


class Box:
    """A value that JSON cannot hold."""


CASES = {
    "loses a field": (broken(wire_unpack=forgets_the_card), "unpacked: card is . or -1"),
    "makes actions": (broken(wire_unpack=actions_of_its_own), "unpacked: legal_actions"),
    "sends another seat's": (
        broken(wire_packer=lambda self: lambda state, seat: self.pack(state.observation(1))),
        "an observation that follows others of its match changes .* unpacked: seat is 0 or 1",
    ),
    "forgets what was sent before": (
        broken(wire_packer=new_events),
        "an observation that follows others of its match changes .* unpacked: history is ",
    ),
    "leaves out what another seat was sent": (
        broken(wire_packer=lambda self: new_events(self, share=True), wire_unpacker=keeping),
        "an observation that follows others of its match changes .* unpacked: history is ",
    ),
    "cannot write what is new": (
        broken(wire_packer=lambda self: lambda state, seat: Box()),
        "an observation that follows others of its match cannot be packed .*: TypeError",
    ),
    "raises": (
        broken(wire_pack=lambda self, seen: 1 // 0),
        "cannot be packed and unpacked: ZeroDivisionError",
    ),
    "packs what msgpack cannot": (
        broken(wire_pack=lambda self, seen: Box()),
        "cannot be packed and unpacked: TypeError",
    ),
    "knows no id": (
        broken(game_notation=with_notation(action_of=lambda self, number: {}[number])),
        "cannot be packed and unpacked: KeyError",
    ),
    "is no JSON": (broken(wire_describe=describing(extra=Box())), "not JSON: TypeError"),
    "is bytes": (broken(wire_describe=sometimes), "an observation is described by what is not"),
    "is a tuple": (broken(wire_describe=describing(extra=(1,))), "not JSON"),
    "is no object": (broken(wire_describe=lambda self, seen: [1]), "not JSON"),
    "drops a field": (broken(wire_describe=lacking("card")), "is described without card$"),
    "drops more": (broken(wire_describe=lacking("card", "seat")), "without seat, card$"),
    "is another seat's": (broken(wire_describe=describing(seat=7)), "is described as 7"),
    "has no actions": (broken(wire_describe=describing(legal_actions=None)), "described as None"),
    "has too few": (broken(wire_describe=describing(legal_actions=["pass"])), r"as \['pass'\]"),
    "misreads actions": (
        broken(game_notation=with_notation(action=lambda self, text: PASS)),
        "which mean others",
    ),
}


@pytest.mark.parametrize(("game", "named"), CASES.values(), ids=CASES)
def test_a_broken_message_to_bots_is_named(game, named):
    report = check_game(game, RULES, redeals=volume(1000, everyday=350))
    assert not report.passed
    assert re.search(named, report.problems[0]), report.problems[0]
    assert report.problems[0].startswith("match ")


def test_a_game_that_sends_what_is_new_passes():
    sound = broken(wire_packer=new_events, wire_unpacker=keeping)
    report, plain = (check_game(game, RULES, redeals=500) for game in (sound, Toy()))
    assert report.problems == ()
    assert report.checks["packed and unpacked"] > plain.checks["packed and unpacked"]


def test_actions_that_are_equal_but_not_identical_are_named():
    def legal(self):
        taken = Toy.state.legal_actions(self)
        return tuple(EQUALS[a.id] for a in taken) if self.phase == "act" else taken

    def take(self, action):
        Toy.state.take(self, (PASS, RAISE)[action.id] if action in EQUALS else action)

    notation = with_notation(
        action=lambda self, text: next(a for a in EQUALS if a.text == text),
        action_of=lambda self, number: EQUALS[number],
    )
    sound = broken(legal_actions=legal, take=take, game_notation=notation)
    assert check_game(sound, RULES, redeals=500).problems == ()
    copying = broken(
        legal_actions=legal, take=take, game_notation=notation, wire_unpack=equal_actions
    )
    assert "legal_actions are other objects" in check_game(copying, RULES, 500).problems[0]


def test_a_loadout_that_is_read_as_another_is_named():
    report = check_game(broken_table(loadouts_text=lambda *_: "hat"), RULES, redeals=100)
    assert "what a seat brings is written as 'hat', but read as b'hat'" in report.problems[0]


def test_an_offer_that_is_not_json_is_named():
    game = broken_table(loadouts_describe=lambda self, offer: {"seat": Offer})
    assert "an offer is described by what is not JSON" in check_game(game, RULES, 100).problems[0]


def test_an_offer_that_lacks_a_field_is_named():
    game = broken_table(loadouts_describe=lambda self, offer: {"hats": 2})
    assert "an offer is described without seat" in check_game(game, RULES, 100).problems[0]


def test_a_pazaak_that_sends_the_wrong_hand_is_caught():
    def swapping(self, ruleset, packed):
        got = PACKING.unpack(ruleset, packed)
        fields = {field: getattr(got, field) for field in got.__struct_fields__}
        return type(got)(**{**fields, "hand": got.hand[::-1]})

    report = check_game(with_parts(Pazaak, wire_unpack=swapping)(), Pazaak().ruleset(), redeals=200)
    assert "changes when it is packed and unpacked: hand is" in report.problems[0]
