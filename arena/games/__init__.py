"""The rules of the games, one folder each; no game knows another."""
