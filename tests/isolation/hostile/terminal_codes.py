"""Raises an error whose text would take over the user's terminal. It must lose by crash.

None of its control characters may come to the terminal.
"""

from arena import Bot


class TerminalCodes(Bot):
    def act(self, observation):
        print("\x1b]0;mine\x07\x1b[2J")
        raise ValueError("\x1b[2J\x1b]0;mine\x07\r\n" + "\u202e")
