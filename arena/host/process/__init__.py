"""Starts and watches the processes of bots."""
