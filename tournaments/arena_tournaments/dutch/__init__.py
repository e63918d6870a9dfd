"""The FIDE Dutch system (C.04.3, in force since 1 February 2026): pairs the rounds of a Swiss.

``field`` makes a round's field of a report, ``rounds`` pairs it bracket by bracket: ``counting``
pairs the brackets that bit sets and bounds can decide, however large, ``matching`` the others
exactly, by a matching whose costs are the ``criteria`` and which ``least`` finds; ``colours`` seats
the pairs. The reference for readings that the text leaves open is bbpPairings 6.
"""
