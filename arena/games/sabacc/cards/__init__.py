"""The cards of Sabacc, rulesets, and what hands are worth."""
