"""The application layer: what every interface of Arena does, as functions of values.

A face (the command line, the Python API, a page) opens a database, asks this layer, and draws what
it gets. Nothing here prints, exits, or looks at a terminal, an environment variable or a signal.
What happens in a run reaches a face through a ``RunContext``, warnings through a callable that
takes one line, and a run is stopped by cancelling it.
"""
