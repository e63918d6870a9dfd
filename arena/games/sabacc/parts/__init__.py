"""What Sabacc offers besides its rules."""
