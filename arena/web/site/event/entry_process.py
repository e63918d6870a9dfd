"""The process that qualifies one file of an organiser's folder: a job on stdin, a letter on stdout.

It is a process of its own, so that what is wrong with a file cannot harm the server.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Mapping

import msgspec

from arena.core.described import described
from arena.pages.letter import letter_document
from arena.plugins.registry import Registry
from arena.service.answers.rows import Document
from arena.service.bots.submit import submission_spec
from arena.service.bots.submit_many import submit_many
from arena.service.league.qualify_process import end_with
from arena.service.league.read_process import unless_the_machine_fails
from arena.service.letters.submissions import submission_letters


class EntryJob(msgspec.Struct, frozen=True, kw_only=True):
    """A file to qualify.

    Attributes:
        url: Address of the database.
        taken: Paths of other bots by name, as for ``submit``.
        game: Its game, if it does not say that.
        parent: Number of the process that waits for the letter.
    """

    url: str
    path: str
    taken: Mapping[str, str]
    game: str
    parent: int


def qualify_entry(job: EntryJob) -> list[Document]:
    """Qualifies a file, enters its bot if it breaks no match, and returns the letter about it."""
    registry, paths = Registry(), [job.path]
    answers = [*submit_many(registry, job.url, paths, taken=job.taken)]
    package = answers[0][1].package
    if job.game and package is not None and not package.games:
        answers = [*submit_many(registry, job.url, paths, games=[job.game], taken=job.taken)]
    letters = submission_letters(answers, submission_spec({}).decision_seconds)
    return [letter_document(each) for each in letters]


def main() -> None:
    """Qualifies the job of stdin; whatever bots print while they are imported goes to stderr."""
    out, sys.stdout = sys.stdout, sys.stderr
    job = msgspec.msgpack.decode(sys.stdin.buffer.read(), type=described(EntryJob))
    threading.Thread(target=end_with, args=(job.parent,), daemon=True).start()
    letters = unless_the_machine_fails(qualify_entry, job)
    out.write(msgspec.json.encode(letters).decode())


if __name__ == "__main__":
    main()
