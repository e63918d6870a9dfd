"""Floor 3: the judge: checks for games and bots, cases, playthroughs."""
