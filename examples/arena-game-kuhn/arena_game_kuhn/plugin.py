"""The extension that the entry point names; it imports the game only when the hook is called."""


def arena_games() -> list[object]:
    """Registers Kuhn poker."""
    from arena_game_kuhn.game import Kuhn

    return [Kuhn()]
