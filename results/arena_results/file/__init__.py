"""Opens database files, and says who holds them."""
