"""The application layer: what every interface of Arena does, as functions of values.

An interface (the command line, the Python API, a page) opens a database, calls this layer, and
draws the answer. Nothing here prints, exits, or looks at a terminal, an environment variable or a
signal. An ``Attendance`` reports the events of a run, a callable takes warnings as lines, and
cancelling stops a run.
"""
