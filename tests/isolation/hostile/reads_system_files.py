"""Reads files of the system that describe its users. It must fail, and it plays on."""

from arena import Bot

FILES = ("/etc/passwd", "/etc/shadow", "/etc/hostname", "/etc/ssh/sshd_config", "/proc/cpuinfo")


class ReadsSystemFiles(Bot):
    def start(self, context):
        for name in FILES:
            try:
                with open(name, "rb") as file:
                    file.read(1)
            except OSError:
                continue
            raise RuntimeError(f"GOT: {name}")

    def act(self, observation):
        return observation.legal_actions[0]
