"""What every page of the site needs."""
