"""A bot of Pazaak that learned by self-play."""
