"""What Pazaak offers besides its rules."""
