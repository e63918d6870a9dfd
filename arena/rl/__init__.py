"""Games of Arena as environments of PettingZoo and Gymnasium (the extra ``rl``).

The functions are imported when one is first asked for. Without the extra that raises ``BadInput``.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from arena.rl.environments import aec as aec
    from arena.rl.environments import parallel as parallel
    from arena.rl.environments import single as single
    from arena.rl.environments import vector as vector

__all__ = ("aec", "parallel", "single", "vector")


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from arena.service.answers.extras import check_extra

    check_extra("arena.rl", "rl", ("gymnasium", "pettingzoo"))
    from arena.rl import environments

    found: object = getattr(environments, name)
    globals()[name] = found
    return found


def __dir__() -> tuple[str, ...]:
    return __all__
