"""The Python API, for scripts, notebooks and trio programs.

Users reach it by ``import arena``, which imports a name when it is first asked for. Functions take
and give values: nothing here prints, exits or asks. Warnings are Python's (``warnings``), errors
those of ``arena.core.errors``.
"""
