"""The extension that the entry point names; it imports the format only when the hook is called."""


def arena_formats() -> list[object]:
    """Registers the format."""
    from arena_format_teams.teams import Teams

    return [Teams()]
