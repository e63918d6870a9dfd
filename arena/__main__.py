"""Runs the command line: ``python -m arena`` does what ``arena`` does."""

from arena.cli.app import main

if __name__ == "__main__":
    main()
