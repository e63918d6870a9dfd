"""Odds, values, drawing and other parts of Pazaak besides its rules."""
