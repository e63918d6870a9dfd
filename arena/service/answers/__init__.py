"""Makes the parts of every answer: rows, arguments, errors, files."""
