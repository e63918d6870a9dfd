"""Value functions that are learned from records of earlier matches."""
