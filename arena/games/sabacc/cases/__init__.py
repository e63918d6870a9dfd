"""The rule cases of Sabacc: the case driver with its parts, from the given situation to answers."""
