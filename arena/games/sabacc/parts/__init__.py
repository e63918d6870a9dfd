"""Odds, drawing and other parts of Sabacc besides its rules."""
