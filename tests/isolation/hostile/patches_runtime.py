"""Rewrites our runtime in its own process: every match that it finishes is reported as won.

The harness does not believe the report: the bot may lose by the protocol, or play on.
"""

import sys

from arena import Bot


class PatchesRuntime(Bot):
    def start(self, context):
        for name, module in list(sys.modules.items()):
            if not name.startswith("arena.host"):
                continue
            for word in ("failure", "type_name", "load_bot"):
                if hasattr(module, word):
                    setattr(module, word, lambda *arguments: "won")
        for kind in list(sys.modules.values()):
            if hasattr(kind, "Termination"):
                kind.Termination = dict.fromkeys(("RULES", "CAP"), "rules")

    def act(self, observation):
        return observation.legal_actions[0]
