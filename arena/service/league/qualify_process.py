"""The process that qualifies one submission to a league: a job on stdin, a decision on stdout.

It is a process of its own, so that what is wrong with a submission cannot harm the server.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from typing import Literal

import msgspec
from arena_results.bots.submissions import SubmissionStatus, set_status, submissions
from arena_results.bots.uploads import uploads
from arena_results.file.database import open_database

from arena.core.described import described
from arena.core.errors import BadInput, BadStore, HarnessFault
from arena.core.text.printable import without_folders
from arena.plugins.registry import Registry
from arena.plugins.submissions.submission import Package
from arena.service.answers.errors import DiskFull
from arena.service.answers.scratch import scratch_folder
from arena.service.bots.submit import submit
from arena.service.league.admission import check_admitted
from arena.service.league.league_file import LeagueSpec
from arena.service.league.read_process import (
    UNTELLING,
    FileFacts,
    reason,
    safe_name,
    unless_the_machine_fails,
)

PARENT_SECONDS = 0.2
"""Time between two looks at whether the process that asked is still there."""


class UploadJob(msgspec.Struct, frozen=True, kw_only=True):
    """A submission to qualify.

    Attributes:
        url: Address of the database.
        number: Number of the submission.
        author: The author of the token that it was sent with.
        file: The name under which it was sent.
        cut_off: Interruptions of its qualification, if too many: then it is entered only if the
            registry has it already.
        parent: Number of the process that waits for the decision; 0 for none.
    """

    url: str
    number: int
    spec: LeagueSpec
    author: str
    file: str
    content: bytes
    cut_off: int = 0
    parent: int = 0


class Decision(msgspec.Struct, frozen=True, kw_only=True):
    """The outcome of a qualification.

    Attributes:
        ran: Whether its build or a match was begun.
        bot: The version that was entered, ``NAME@VERSION``.
    """

    state: Literal["entered", "refused", "failed"]
    text: str
    document: str = ""
    bot: str = ""
    ran: bool = False


def qualify_upload(job: UploadJob) -> Decision:
    """Qualifies what an author sent, and enters it if it breaks no match."""
    league, begun = job.spec, list[str]()

    def begin(what: str) -> None:
        begun.append(what)
        if job.cut_off:
            raise HarnessFault(
                f"its qualification was cut off {job.cut_off} times; ask the organiser"
            )

    with scratch_folder() as folder:
        path = folder / UNTELLING / safe_name(job.file)
        path.parent.mkdir()
        path.write_bytes(job.content)
        admit = _Admission(job.url, league, job.author, begin).admit
        try:
            submitted = submit(
                Registry(), job.url, str(path),
                games=(league.game,),
                keys=league.submission_keys,
                observer=lambda package, game, opponents, seed: begin(game.name),
                admit=admit,
                noted=False,
            )  # fmt: skip
        except (BadStore, DiskFull):  # nothing that the author did; for the operator's log
            raise
        except BadInput as error:
            return Decision(state="refused", text=reason(error, path), ran=bool(begun))
        except HarnessFault as error:
            return Decision(state="failed", text=reason(error, path), ran=bool(begun))
    package, entered = submitted.package, submitted.status != "refused"
    if entered:
        _replace_older(job, package)
    return Decision(
        state="entered" if entered else "refused",
        text=without_folders(f"{submitted.title}\n{submitted.decision}"),
        document=msgspec.json.encode(_without_folders(submitted.document())).decode(),
        bot=f"{package.name}@{package.version}" if entered else "",
        ran=bool(begun),
    )


def _without_folders(value: object) -> object:
    if isinstance(value, str):
        return without_folders(value)
    if isinstance(value, dict):
        return {key: _without_folders(each) for key, each in value.items()}
    return [*map(_without_folders, value)] if isinstance(value, list | tuple) else value


class _Admission:
    def __init__(
        self, url: str, league: LeagueSpec, author: str, begin: Callable[[str], None]
    ) -> None:
        self._url, self._league, self._author, self._begin = url, league, author, begin

    def admit(self, package: Package) -> Package:
        """Returns the package with its author; raises ``BadInput`` for what is not allowed."""
        size = sum(map(len, package.files.values()))
        found = FileFacts(name=package.name, files=len(package.files), size=size)
        with open_database(self._url) as results:
            check_admitted(results, self._league, self._author, found)
        if package.build:  # it takes the time of the machine as matches do
            self._begin("build")
        return msgspec.structs.replace(package, author=self._author)


def _replace_older(job: UploadJob, package: Package) -> None:
    author, name = job.author, package.name
    with open_database(job.url) as results:
        own = [each for each in submissions(results, name) if each.author == author]
        sent = {each.bot: each.id for each in uploads(results, author=author)[::-1]}  # first sent
        sent.setdefault(f"{name}@{package.version}", job.number)
        newest = max(own, key=lambda each: (sent.get(each.spelling, 0), each.id))
        for each in own:
            if each is not newest and each.status is SubmissionStatus.ENABLED:
                set_status(results, each.name, each.version, SubmissionStatus.DISABLED)


def end_with(parent: int) -> None:
    """Kills this process, and bots with it, when nobody waits for its decision any more."""
    while os.getppid() == parent:
        time.sleep(PARENT_SECONDS)
    os.killpg(0, signal.SIGKILL)


def main() -> None:
    """Qualifies the job of stdin; whatever bots print while they are imported goes to stderr."""
    out, sys.stdout = sys.stdout, sys.stderr
    job = msgspec.msgpack.decode(sys.stdin.buffer.read(), type=described(UploadJob))
    if job.parent:
        threading.Thread(target=end_with, args=(job.parent,), daemon=True).start()
    decision = unless_the_machine_fails(qualify_upload, job)
    out.write(msgspec.json.encode(decision).decode())


if __name__ == "__main__":
    main()
