"""Programs of other languages, confined before they are started."""

from __future__ import annotations

import errno
import os
import select
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from arena.host.box.confine import Confinement
from arena.host.box.levels import Level
from arena.host.box.paths import interpreter_paths
from tests.host.box.box_children import BARE, BEGIN, ENVIRONMENT, PROJECT, run_program

C_BOT = r"""
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static void *hello(void *text) { printf("thread %s", (char *)text); return NULL; }
int main(int count, char **words) {
  char line[80];
  pthread_t thread;
  if (!fgets(line, sizeof line, stdin)) return 1;
  if (pthread_create(&thread, NULL, hello, line)) return 2;
  pthread_join(thread, NULL);
  pid_t child = fork();
  if (!child) _exit(0);
  printf("fork %d\n", child < 0 ? errno : 0);
  printf("open %d\n", open("/etc/passwd", O_RDONLY) < 0 ? errno : 0);
  printf("memory %s\n", malloc(300 << 20) ? "yes" : "no");
  fflush(stdout);
  execl("/bin/true", "true", NULL);
  printf("exec %d\n", errno);
  return 0;
}
"""
NODE_BOT = """
const fs = require("fs"), net = require("net"), {spawnSync} = require("child_process");
const {Worker} = require("worker_threads"), {createHash} = require("crypto");
function tried(act) { try { act(); return "got through"; } catch (error) { return error.code; } }
require("readline").createInterface({input: process.stdin}).on("line", line => {
  console.log(line, createHash("sha256").update("x").digest("hex").slice(0, 4));
  console.log(tried(() => fs.readFileSync("/etc/passwd")));
  console.log(tried(() => fs.writeFileSync("/tmp/x", "")));
  console.log(spawnSync("/bin/true").error.code);
  net.connect(80, "127.0.0.1").on("error", error => console.log(error.code));
  const worker = new Worker("require('worker_threads').parentPort.postMessage(41)", {eval: true});
  worker.on("message", number => console.log("worker", number));
});
"""
PYTHON_BOT = """
import sys, threading
for line in sys.stdin:
    thread = threading.Thread(target=print, args=("thread", line.strip()))
    thread.start()
    thread.join()
import hashlib, json, random
"""
NO, DENIED = errno.EPERM, errno.EACCES


def confined(command: list[str], *read: Path, memory: int | None = None) -> Confinement:
    needed, execute = interpreter_paths(command)
    return Confinement(
        Level.CONFINED, (*needed, *map(str, read)), execute, memory=memory, program=True
    )


def installed(program: str) -> str:
    found = shutil.which(program, path="/usr/local/bin:/usr/bin:/bin")
    if found is None:
        pytest.skip(f"{program} is not installed")
    return found


@pytest.mark.parametrize("linking", [[], ["-static"]], ids=["shared", "static"])
def test_c_program_plays_and_does_no_more(tmp_path, linking):
    source, program = tmp_path / "bot.c", tmp_path / "bot"
    source.write_text(C_BOT)
    compiled = [installed("cc"), *linking, "-o", str(program), str(source), "-pthread"]
    subprocess.run(compiled, check=True, capture_output=True)
    command = [str(program)]
    done = run_program(command, confined(command, tmp_path, memory=200 << 20), "hi\n")
    assert done.stdout.split("\n")[:-1] == [
        "thread hi",
        f"fork {NO}",
        f"open {DENIED}",
        "memory no",
        f"exec {DENIED}",
    ]


SORTING = r"""
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static int more(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(void) {
  int *numbers = malloc(400000 * sizeof *numbers), wrong = 0;
  for (int n = 0; n < 400000; n++) numbers[n] = (n * 7919) % 400009;
  qsort(numbers, 400000, sizeof *numbers, more);
  for (int n = 1; n < 400000; n++) wrong += numbers[n - 1] > numbers[n];
  printf("%d %ld\n", wrong, sysconf(_SC_NPROCESSORS_ONLN) > 0);
}
"""


def test_c_program_sorts_without_knowing_how_much_memory_there_is(tmp_path):
    """The C library asks for it (sysinfo), and is refused."""
    source, program = tmp_path / "sort.c", tmp_path / "sort"
    source.write_text(SORTING)
    subprocess.run([installed("cc"), "-o", str(program), str(source)], check=True)
    assert run_program([str(program)], confined([str(program)], tmp_path)).stdout == "0 1\n"


@pytest.mark.parametrize("wire", ["pipe", "socket"])
@pytest.mark.parametrize("memory", [None, 256 << 20], ids=["unlimited", "256 MB"])
def test_node_plays_and_does_no_more(tmp_path, wire, memory):
    script = tmp_path / "bot.js"
    script.write_text(NODE_BOT)
    command = [installed("node"), str(script)]
    confinement = confined(command, tmp_path, memory=memory)
    run = run_program if wire == "pipe" else run_on_socket
    printed = sorted(run(command, confinement, "hi\n").stdout.splitlines())
    assert printed == ["EACCES", "EACCES", "EPERM", "EPERM", "hi 2d71", "worker 41"]


def run_on_socket(
    command: list[str], confinement: Confinement, text: str
) -> subprocess.CompletedProcess[str]:
    """As the harness does it: one Unix socket is both stdin and stdout of the program."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        ours.sendall(text.encode())
        ours.shutdown(socket.SHUT_WR)
        through = f"import os; os.dup2({theirs.fileno()}, 0); os.dup2({theirs.fileno()}, 1)\n"
        done = _run(through, command, confinement, theirs.fileno())
        theirs.close()
        answer = b"".join(iter(lambda: ours.recv(4096), b""))
    return subprocess.CompletedProcess(command, done, answer.decode())


def _run(before: str, command: list[str], confinement: Confinement, descriptor: int) -> int:
    fields = confinement._asdict() | {"level": str(confinement.level)}
    code = BEGIN.format(project=str(PROJECT)) + before
    code += f"fields = {fields!r}\nconfine(Confinement(Level(fields.pop('level')), **fields))\n"
    code += f"os.execve({command[0]!r}, {command!r}, {{}})"
    return subprocess.run(
        [sys.executable, *BARE, "-c", code],
        env=ENVIRONMENT,
        pass_fds=[descriptor],
        timeout=300,
        check=True,
    ).returncode


@pytest.mark.parametrize("python", [sys.executable, "/usr/bin/python3"])
def test_another_python_plays(tmp_path, python):
    if not os.path.exists(python):
        pytest.skip(f"{python} is not installed")
    script = tmp_path / "bot.py"
    script.write_text(PYTHON_BOT)
    command = [python, str(script)]
    done = run_program(command, confined(command, tmp_path), "hi\n")
    assert (done.returncode, done.stdout, done.stderr) == (0, "thread hi\n", "")


def test_script_that_names_its_interpreter_plays(tmp_path):
    perl = installed("perl")
    script = tmp_path / "bot"
    script.write_text("#!/usr/bin/env perl\nuse POSIX; print 'got ', <STDIN>;")
    script.chmod(0o755)
    _, execute = interpreter_paths([str(script)])
    assert {str(script), "/usr/bin/env", perl} <= set(execute)
    done = run_program([str(script)], confined([str(script)], tmp_path), "hi\n")
    assert (done.stdout, done.stderr) == ("got hi\n", "")


def test_script_of_a_shell_is_refused(tmp_path):
    script = tmp_path / "python3"
    script.write_text("#!/usr/bin/env bash\nexec python3")
    with pytest.raises(OSError, match="script of a shell"):
        interpreter_paths([str(script)])


def test_scripts_that_name_each_other_are_refused(tmp_path):
    script = tmp_path / "bot"
    script.write_text(f"#!{script}\n")
    with pytest.raises(OSError, match="is in none of"):
        interpreter_paths([str(script)])


def test_interpreter_that_is_missing_is_named(tmp_path):
    script = tmp_path / "bot"
    script.write_text("#!/usr/bin/env no-such-language\n")
    with pytest.raises(FileNotFoundError, match="no-such-language"):
        interpreter_paths([str(script)])


def test_no_path_to_proc_or_to_installed_packages_is_needed():
    for command in ([sys.executable], ["/usr/bin/env"]):
        read, _ = interpreter_paths(command)
        assert not [path for path in read if path.startswith("/proc") or "-packages" in path]
        assert "/" not in read


def test_program_still_dies_with_the_harness(tmp_path):
    """The kernel would forget it if the program gained rights by its start."""
    sleep = installed("sleep")
    middle = f"""
import os, sys
sys.path.append({str(PROJECT)!r})
from arena.host.box.confine import Confinement, confine
from arena.host.box.levels import Level
process = os.fork()
if not process:
    confine(Confinement(Level.CONFINED, {interpreter_paths([sleep])[0]!r},
        {interpreter_paths([sleep])[1]!r}, program=True))
    os.execve({sleep!r}, ["sleep", "60"], {{}})
print(process, flush=True)
sys.stdin.read()
"""
    with subprocess.Popen(
        [sys.executable, "-c", middle], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as parent:
        process = int(parent.stdout.readline())
        wait_for(lambda: Path(f"/proc/{process}/comm").read_text() == "sleep\n")
        handle = os.pidfd_open(process)
        parent.kill()
    assert select.select([handle], [], [], 20)[0]
    os.close(handle)


def wait_for(fact) -> None:
    end = time.monotonic() + 20
    while not fact():
        assert time.monotonic() < end
        time.sleep(0.01)
