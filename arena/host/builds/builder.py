"""Builds a submission: once, in a box of its own, before anything else runs of it."""

from __future__ import annotations

import glob
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import msgspec

from arena.core.described import described
from arena.core.errors import BadPlugin
from arena.core.text.printable import printable_line, printable_text
from arena.host.box.bubblewrap import boxed_command
from arena.host.box.executables import PROGRAM_PATH
from arena.host.box.granted import DEVICES, check_granted, is_within
from arena.host.box.paths import stdlib_paths
from arena.host.builds.inside import MARK, PLACE, PROCESSES
from arena.host.builds.job import BuildJob, BuildLimits, Built
from arena.host.process.launch import runtime_modules
from arena.plugins.programs import find_program
from arena.plugins.submissions.archives import check_path
from arena.plugins.submissions.submission import Package, check_command

SYSTEM = (
    *("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc/alternatives"),
    *("/etc/ld.so.cache", "/etc/java-*", "/etc/mono", "/etc/perl", "/etc/python3*"),
)
"""Patterns of what a build may read and execute of the system: its programs and libraries."""
_BOOT = "import sys; sys.path[:0] = sys.argv[1:]; from arena.host.builds.inside import main; main()"
_OURS = ("__init__.py", "core", "host", "plugins")
_PATIENCE = 30.0
"""Seconds that a box may take besides its build."""


class NoBox(BadPlugin):
    """Raised where no build can run: this machine has no box for it."""

    def __init__(self, why: str) -> None:
        super().__init__(
            f"a build needs the isolation level boxed, which is unavailable here: {why}; see: "
            "arena doctor; or submit the bot built and without the key build"
        )


class BuildFailed(BadPlugin):
    """Raised for a submission that cannot be built.

    Attributes:
        log: The end of what its commands wrote, which is a note, too.
    """

    def __init__(self, name: str, why: str, log: bytes) -> None:
        super().__init__(f"the build of {name} failed: {why}")
        self.log = printable_text(log.decode(errors="replace")).rstrip()
        if self.log:
            self.add_note(self.log)


def built(package: Package, limits: BuildLimits, apart: Iterable[str] = ()) -> Package:
    """Returns a submission with the files that its commands make; others stay as they are.

    Args:
        package: Of the source.
        limits: The limits of the build.
        apart: Files that no build may read, such as the database.

    Raises:
        BuildFailed: A command fails, or makes what no submission may have.
        BadPlugin: A compiler is not installed, or there is no box (``NoBox``).
    """
    if not package.build:
        return package
    job = _job(package, limits, apart)
    made = _in_a_box(job)
    if made.failure:
        raise BuildFailed(package.name, made.failure, made.log)
    files = made.files
    try:
        for name in files:
            check_path("its output", name)
        check_command("its output", package.command, files, remedy="")
    except BadPlugin as error:
        raise BuildFailed(package.name, str(error), made.log) from None
    return msgspec.structs.replace(package, files=files, build=())


def _job(package: Package, limits: BuildLimits, apart: Iterable[str]) -> BuildJob:
    programs, homes = list[str](), list[str]()
    for program, *_ in package.build:
        found = program if "/" in program else _compiler(package, program)
        programs.append(found)
        if os.path.isabs(found) and os.path.dirname(found) not in PROGRAM_PATH.split(":"):
            homes.append(os.path.dirname(os.path.dirname(found)))
    read = [path for pattern in SYSTEM for path in glob.glob(pattern)]
    try:
        _check_homes(homes, [*read, *homes], apart)
    except OSError as error:
        raise BadPlugin(f"bot {package.name} cannot be built: {error}") from None
    path = ":".join([*(f"{home}/bin" for home in homes), PROGRAM_PATH])
    granted = (*read, *homes, *DEVICES)
    return BuildJob(package.files, package.build, tuple(programs), granted, path, limits)


def _compiler(package: Package, program: str) -> str:
    """Returns the path of an installed program: the system's, or else this user's."""
    found = shutil.which(program, path=PROGRAM_PATH) or find_program(program)
    if found is None:
        raise BadPlugin(
            f"bot {package.name} is built by {program}, which is not installed here; "
            "install it, or submit the bot built and without the key build"
        )
    if os.path.dirname(found) in PROGRAM_PATH.split(":"):
        return found
    real = os.path.realpath(found)
    if os.path.basename(real) == "rustup":  # starts one of several compilers
        asked = [real, "which", program]
        done = subprocess.run(asked, capture_output=True, text=True, check=False)
        real = os.path.realpath(done.stdout.strip()) if not done.returncode else real
    return real


def _check_homes(homes: Iterable[str], read: Iterable[str], apart: Iterable[str]) -> None:
    """Checks the folders of this user's compilers, which may hold nothing else; ``OSError``."""
    own = os.path.expanduser("~")
    check_granted(homes, (), (own,))
    for home in homes:
        if os.path.dirname(home) == own:
            raise OSError(f"its compiler is in {home}, with other files; install it for all users")
    for path in read:
        for each in apart:
            if is_within(os.path.realpath(each), os.path.realpath(path)):
                raise OSError(f"{each} is in {path}, which compilers may read; move it")


def _in_a_box(job: BuildJob) -> Built:
    folders = runtime_modules()
    arena, messages = Path(folders["arena"], "arena"), Path(folders["msgspec"], "msgspec")
    argv = (sys.executable, "-P", "-s", "-S", "-c", _BOOT, *dict.fromkeys(folders.values()))
    ours = (str(messages), *(str(arena / part) for part in _OURS))
    mounts = ("--proc", PROCESSES, "--size", str(job.limits.disk), "--tmpfs", PLACE)
    environment = {"PYTHONHASHSEED": "0", MARK: "1"}
    try:
        command = boxed_command(argv, (*stdlib_paths(), *job.read, *ours), environment, mounts)
        patience = job.limits.seconds + _PATIENCE
        code, out, err = _run(command, msgspec.msgpack.encode(job), environment, patience)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NoBox(str(error)) from None
    if code == 128 + signal.SIGKILL:
        return Built(failure="it ended its own box")
    try:
        return msgspec.msgpack.decode(out, type=described(Built))
    except msgspec.MsgspecError:
        said = err.decode(errors="replace").strip().rpartition("\n")[2]
        raise NoBox(printable_line(said) or f"exit code {code}") from None


def _run(
    command: Sequence[str], given: bytes, environment: Mapping[str, str], seconds: float
) -> tuple[int, bytes, bytes]:
    """Returns the exit code of a command and its output; no process of it is left in any case.

    A bubblewrap that is killed while it starts leaves a child in its group that waits for it.
    """
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command, stdin=pipe, stdout=pipe, stderr=pipe, env=environment, start_new_session=True
    ) as box:
        try:
            out, err = box.communicate(given, seconds)
        except BaseException:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(box.pid, signal.SIGKILL)
            box.wait()
            raise
        return box.returncode, out, err
