"""Tests whether one bot is better than another."""
