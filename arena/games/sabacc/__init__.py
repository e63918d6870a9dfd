"""Sabacc after the rule book in docs/rules/sabacc.md: nine variants, dice, chips, points."""
