"""The random bot."""

from collections import Counter

from arena_bots.uniform_random import UniformRandom

from tests.bots.play import play, seen, started


def test_every_legal_action_comes_about_equally_often():
    bot = started(UniformRandom())
    choices = seen(tables=([9], ()), hands=("+1 ±2", ""))
    counts = Counter(bot.act(choices).text for _ in range(5_000))
    assert set(counts) == {action.text for action in choices.legal_actions}
    assert all(850 < count < 1150 for count in counts.values())


def test_its_choices_follow_from_its_private_seed():
    makers = (UniformRandom, UniformRandom)
    first, again, other = (play(makers, bot_seed=seed)[0] for seed in (5, 5, 6))
    assert first == again
    assert first.actions != other.actions
