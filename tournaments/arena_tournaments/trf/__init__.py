"""FIDE's Tournament Report Files: the tournament as a value, its reader and its writer."""
