"""OpenSpiel's games and bots in Arena, and Arena's games in OpenSpiel."""
