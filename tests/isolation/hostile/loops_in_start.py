"""Never gets done with starting a match. It must lose by timeout before the deal."""

from arena import Bot


class LoopsInStart(Bot):
    def start(self, context):
        while True:
            pass
