"""Standings of Tournament Report Files by FIDE's tie-break regulations (C.07), of 2023 and of 2026.

``event`` makes the values that tie-breaks look at of a report, ``performance`` has those of
ratings, ``acronyms`` all tie-breaks by name with their modifiers, ``ranking`` the standings.
"""
