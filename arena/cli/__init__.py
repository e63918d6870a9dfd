"""The command line: a file holds one verb, or the verbs of one group or subject."""
