"""Describes what this machine offers for isolation, and advises on how to get more."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from arena.host.box.bubblewrap import bubblewrap
from arena.host.box.landlock import landlock_abi
from arena.host.box.paths import NEED_PROC
from arena.host.box.syscalls import MACHINES

_NEW_USER = 0x1000_0000
_TRY_NAMESPACE = (
    "import sys; sys.path.append(sys.argv[1]); from arena.host.box.kernel import call; "
    f"call('unshare', {_NEW_USER})"
)
_UBUNTUS_SWITCH = "/proc/sys/kernel/apparmor_restrict_unprivileged_userns"


def describe() -> dict[str, str]:
    """The facts, as a person wants to read them: what, and how it is here."""
    abi = landlock_abi()
    table = "a table for" if platform.machine() in MACHINES else "NO TABLE for"
    filters = "yes" if os.path.exists("/proc/sys/kernel/seccomp/actions_avail") else "no"
    return {
        "system": f"{platform.system()} {platform.release()}",
        "Landlock": f"ABI {abi}" if abi else "no",
        "seccomp": f"{filters}, with {table} {platform.machine()}",
        "bubblewrap": _bubblewrap_version(),
        "user namespaces": "yes" if _namespaces() else "no",
        "Python": f"{platform.python_version()}, {sys.executable}",
        "programs": f"of any language; at process alone: {', '.join(NEED_PROC)}",
        "user": "root" if os.getuid() == 0 else "an ordinary user",
    }


def advice() -> list[str]:
    """Lines of advice: what to install or to enable for levels that do not hold."""
    if sys.platform != "linux":
        return ["To confine bots, run the harness on Linux, or in a virtual machine with it."]
    lines = []
    if platform.machine() not in MACHINES:
        lines.append(f"To get confined, use a machine of these kinds: {', '.join(MACHINES)}.")
    if not landlock_abi():
        lines.append(
            "To get confined, use Linux 5.13 or newer; if its Landlock is off, start it with "
            "landlock in the parameter lsm=."
        )
    if bubblewrap() is None:
        lines.append("To get boxed, install the package bubblewrap.")
    if not _namespaces():
        lines.append(
            "To get boxed, let users make namespaces: sysctl user.max_user_namespaces above 0 and, "
            "where there is that switch, kernel.unprivileged_userns_clone=1."
        )
    with suppress(OSError):
        if Path(_UBUNTUS_SWITCH).read_text().strip() == "1":
            lines.append(
                "To get boxed, give bwrap an AppArmor profile that allows userns: AppArmor keeps "
                "users from namespaces here."
            )
    return lines


def _bubblewrap_version() -> str:
    program = bubblewrap()
    if program is None:
        return "not installed"
    done = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    return f"{done.stdout.strip().rpartition(' ')[2] or 'broken'}, {program}"


def _namespaces() -> bool:
    """True if this user may make a user namespace; tried in another process."""
    folder = str(Path(__file__).parents[3])
    argv = (sys.executable, "-P", "-s", "-S", "-c", _TRY_NAMESPACE, folder)
    return not subprocess.run(argv, capture_output=True, check=False).returncode
