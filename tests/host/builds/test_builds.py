"""A submission is built once in a box; what a build makes is part of the bot."""

from __future__ import annotations

import shutil
import signal

import pytest

from arena.core.errors import BadPlugin
from arena.host.box.bubblewrap import bubblewrap
from arena.host.builds.builder import BuildFailed, NoBox, built
from arena.host.builds.job import MEBIBYTE, BuildLimits
from arena.plugins.submissions.submission import Package
from tests.isolation.users import orphans

pytestmark = pytest.mark.skipif(bubblewrap() is None, reason="bubblewrap is not installed")


def package(*build, command=("cat",), **files):
    """Returns a package whose files are named so: ``make_py`` is ``make.py``."""
    named = {name.replace("_", "."): text.encode() for name, text in files.items()}
    return Package(name="mine", command=command, files=named, build=build)


def failure(*build, limits=None, **files):
    """Returns why a build fails, and what it wrote."""
    with pytest.raises(BuildFailed) as caught:
        built(package(*build, **files), limits or BuildLimits())
    return str(caught.value), caught.value.log


def test_its_output_is_part_of_the_content():
    source = package(("sh", "-c", "tr a-z A-Z < in.txt > out.txt"), in_txt="text")
    done = built(source, BuildLimits())
    assert done.files == {"in.txt": b"text", "out.txt": b"TEXT"}
    assert (done.build, done.name) == ((), "mine")
    assert done.content != source.content
    assert done.content == built(source, BuildLimits()).content


def test_what_needs_no_build_stays_as_it_is():
    plain = package(in_txt="text")
    assert built(plain, BuildLimits()) is plain


def test_commands_run_in_order_and_stop_at_the_first_that_fails():
    write = "echo $0 >> log.txt"
    done = built(package(("sh", "-c", write, "1"), ("sh", "-c", write, "2")), BuildLimits())
    assert done.files == {"log.txt": b"1\n2\n"}
    why, log = failure(("sh", "-c", "echo one; exit 3"), ("sh", "-c", "echo two"))
    assert why == "the build of mine failed: sh -c 'echo one; exit 3' ended with exit code 3"
    assert log == "one"


def test_a_program_of_its_own_may_build_it():
    done = built(package(("./make.sh",), make_sh="#!/bin/sh\necho made > out.txt\n"), BuildLimits())
    assert done.files["out.txt"] == b"made\n"


def test_a_shell_whose_processes_end_while_it_starts_others_can_build():
    code = "i=0; while [ $i -lt 50 ]; do i=$((i+1)); /bin/true | /bin/true | cat; done; echo > out"
    assert "out" in built(package(("sh", "-c", code)), BuildLimits()).files


def test_its_author_gets_the_end_of_what_the_compiler_writes():
    text = (
        "i=0; while [ $i -lt 9000 ]; do i=$((i+1)); echo line $i; done; printf '\\033[2J'; exit 1"
    )
    _, log = failure(("sh", "-c", text))
    assert log.endswith("line 9000\n?[2J")
    assert len(log) <= BuildLimits().log


@pytest.mark.skipif(shutil.which("cc") is None, reason="cc is not installed")
def test_the_errors_of_a_compiler_name_the_file_and_the_line():
    why, log = failure(("cc", "-o", "bot", "bot.c"), bot_c="int main(void)\n{ return x; }\n")
    assert why == "the build of mine failed: cc -o bot bot.c ended with exit code 1"
    assert "bot.c:2:10: error: " in log


def test_a_compiler_that_is_not_installed_is_named():
    with pytest.raises(BadPlugin, match="bot mine is built by nocc, which is not installed here; "):
        built(package(("nocc", "bot.c")), BuildLimits())


def test_a_build_that_makes_no_program_has_failed():
    with pytest.raises(
        BuildFailed, match=r"its command begins with \./bot, which it does not hold$"
    ):
        built(package(("true",), command=("./bot",)), BuildLimits())


def test_a_long_command_is_cut_where_it_is_named():
    why, log = failure(("false", "x" * 9_000))
    assert why.endswith("xxx... ended with exit code 1")
    assert len(why) < 400
    assert log == ""


def test_without_a_box_nothing_is_built(monkeypatch):
    monkeypatch.setenv("PATH", "")
    with pytest.raises(NoBox, match="level boxed, which is unavailable here: bubblewrap"):
        built(package(("true",)), BuildLimits())


def test_where_the_box_cannot_be_made_its_own_words_say_so(monkeypatch, tmp_path):
    box = tmp_path / "bwrap"
    box.write_text("#!/bin/sh\necho bwrap: no namespaces for you >&2; exit 1\n")
    box.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin")
    with pytest.raises(NoBox, match="unavailable here: bwrap: no namespaces for you; see"):
        built(package(("true",)), BuildLimits())


def test_a_database_among_the_files_of_compilers_stops_it(tmp_path):
    with pytest.raises(BadPlugin, match=r"cannot be built: /usr/arena\.db is in /usr, which"):
        built(package(("true",)), BuildLimits(), apart=["/usr/arena.db"])


def test_a_build_ends_at_its_time():
    why, _ = failure(("sleep", "60"), limits=BuildLimits(seconds=0.3))
    assert why == "the build of mine failed: it takes more than 0.3 s (build_seconds)"


def test_a_build_has_the_memory_of_all_its_processes_together():
    code = "x = bytearray(60 << 20); import time; time.sleep(60)"
    both = f"python3 -c '{code}' & python3 -c '{code}'"
    why, _ = failure(("sh", "-c", both), limits=BuildLimits(memory=100 * MEBIBYTE))
    assert why.endswith("it needs more than 100 MiB of memory (build_memory_mb)")


def test_one_process_gets_no_more_memory():
    limits = BuildLimits(memory=100 * MEBIBYTE)
    _, log = failure(("python3", "-c", "bytearray(1 << 30)"), limits=limits)
    assert "MemoryError" in log


def test_a_build_that_is_interrupted_leaves_no_process():
    def interrupt(number, frame):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 1)
    try:
        with orphans() as left, pytest.raises(KeyboardInterrupt):
            built(package(("sleep", "613")), BuildLimits())
    finally:
        signal.signal(signal.SIGALRM, before)
    assert left == []
