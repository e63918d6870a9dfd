"""Commands that play tournaments and check them."""
