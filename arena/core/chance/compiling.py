"""The mark of compiled classes that are subclassed in plain Python, or copied and pickled.

The compiler reads it by its name; at run time it does nothing, and needs no package.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mypy_extensions import mypyc_attr as mypyc_attr
else:

    def mypyc_attr(**_: object) -> object:
        """Returns a decorator that leaves a class as it is."""
        return lambda kind: kind
