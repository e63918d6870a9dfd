"""Pazaak in words: effects of cards, the rules of a ruleset, positions as a seat sees them."""
