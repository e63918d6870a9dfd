"""Game trees of small games: information states, values, best responses and exploitability."""
