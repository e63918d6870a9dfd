"""A Pazaak bot that draws only while a bust is unlikely."""
