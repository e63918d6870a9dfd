"""Fake endpoints for tests: each a real server in a process of its own."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

from arena.plugins.endpoints.spec import Endpoint

FAKE = Path(__file__).parents[2] / "examples" / "language_models" / "fake.py"


class Served:
    """A fake endpoint that runs."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.root = url.removesuffix("/v1/chat/completions")

    def endpoint(self, model="stand", **parameters) -> Endpoint:
        return Endpoint(url=self.url, model=model, **parameters)

    def stats(self) -> dict[str, Any]:
        with urlopen(f"{self.root}/stats") as answer:
            return json.load(answer)  # type: ignore[no-any-return]

    def control(self, **settings) -> None:
        body = json.dumps(settings).encode()
        with urlopen(Request(f"{self.root}/control", data=body)) as answer:
            answer.read()


@contextmanager
def served(*arguments: str) -> Iterator[Served]:
    """Runs a fake endpoint at a free port."""
    command = [sys.executable, str(FAKE), "0", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield Served(process.stdout.readline().strip())
        finally:
            process.kill()
