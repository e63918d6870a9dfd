"""Loaders and interpreters that a program names must be installed files of the system."""

from __future__ import annotations

import os
import platform
import shutil
import struct

import pytest

from arena.host.box import elf
from arena.host.box.executables import executed
from arena.host.box.paths import interpreter_paths

pytestmark = pytest.mark.skipif(platform.machine() != "x86_64", reason="the files are of x86-64")
LOADER = "/lib64/ld-linux-x86-64.so.2"
CLASS_32, BIG_ENDIAN, AARCH64, I386 = 1, 2, 183, 3


def made(
    *names: str,
    ident: tuple[int, int, int] = (2, 1, 1),
    kind: int = 2,
    machine: int = 62,
    start: int = 64,
    size: int = 56,
    count: int | None = None,
    length: int | None = None,
    end: bytes = b"\0",
) -> bytes:
    """An executable that asks for these loaders; its table and their paths follow its header."""
    texts = [name.encode() + end for name in names]
    place = 64 + 56 * len(texts)
    table = b""
    for text in texts:
        table += struct.pack("<IIQQQQQQ", 3, 4, place, 0, 0, length or len(text), len(text), 1)
        place += len(text)
    rows = count if count is not None else len(texts)
    head = struct.pack("<4s3B9xHHIQQQIHHHHHH", b"\x7fELF", *ident, kind, machine, 1, 0, start, 0,
                       0, 64, size, rows, 0, 0, 0)  # fmt: skip
    return head + table + b"".join(texts)


@pytest.fixture
def program(tmp_path):
    def write(content: bytes | str) -> str:
        path = tmp_path / "bot"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        path.chmod(0o755)
        return str(path)

    return write


def test_the_loader_of_a_program_of_this_machine_is_found(program):
    path = program(made(LOADER))
    assert list(executed(path)) == [path, LOADER]


def test_a_static_program_needs_no_loader(program):
    static = bytearray(made(LOADER))
    static[64] = 1  # a part to load, and no loader
    path = program(bytes(static))
    assert list(executed(path)) == [path]


def test_a_table_behind_the_first_page_is_read_where_it_is(program):
    far = bytearray(made(LOADER, start=9_000).ljust(9_000, b"\0"))
    far[9_000:] = made(LOADER)[64:120]
    assert elf.loader_of(program(bytes(far))) == LOADER


FORGED = {
    "32-bit": (made("/etc", ident=(CLASS_32, 1, 1)), "expected a 64-bit executable"),
    "big-endian": (made("/etc", ident=(2, BIG_ENDIAN, 1)), "expected a 64-bit executable"),
    "no version": (made("/etc", ident=(2, 1, 0)), "expected a 64-bit executable"),
    "aarch64": (made(LOADER, machine=AARCH64), "expected a 64-bit executable for x86_64"),
    "i386 in 64 bits": (made(LOADER, machine=I386), "expected a 64-bit executable for x86_64"),
    "an object": (made(LOADER, kind=1), "expected an executable"),
    "a core": (made(LOADER, kind=4), "expected an executable"),
    "a folder": (made("/etc"), "asks for the loader '/etc'"),
    "all": (made("/"), "asks for the loader '/'"),
    "the shadow": (made("/etc/shadow"), "asks for the loader '/etc/shadow'"),
    "another path": (made(f"/lib64/../{LOADER}"), "it may be /lib64/"),
    "two": (made(LOADER, "/etc"), "more than one loader"),
    "no end": (made(LOADER, end=b"/"), "no clear end"),
    "two ends": (made(LOADER, end=b"\0/etc\0"), "no clear end"),
    "a long path": (made(LOADER, length=1 << 20), "a path of 1048576 bytes"),
    "a path behind the end": (made(LOADER, length=2_000), "cut off"),
    "a table behind the end": (made(LOADER, start=1 << 63), "cut off"),
    "rows of another size": (made(LOADER, size=32), "table of segments"),
    "many rows": (made(LOADER, count=65_535), "table of segments"),
    "no rows": (made(LOADER, count=0), "table of segments"),
    "no header": (b"\x7fELF", "shorter than the header"),
    "neither": (b"MZ\x90", "neither an executable nor a script"),
    "nothing": (b"", "neither an executable nor a script"),
}


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_header_is_refused_in_one_line(program, name):
    content, reason = FORGED[name]
    with pytest.raises(OSError, match=reason) as refused:
        interpreter_paths([program(content)])
    assert str(refused.value).isprintable()
    assert "/bot" not in str(refused.value)


SCRIPTS = {
    "a secret": ("#!/etc/shadow\n", "is in none of"),
    "a folder": ("#!/usr/bin\n", "is in none of"),
    "a folder on the path": ("#!/usr/bin/\n", "expected an executable file"),
    "a relative path": ("#!./other\n", "is in none of"),
    "a way out": ("#!/usr/bin/../../etc/passwd\n", "is in none of"),
    "another's file": ("#!{other}\n", "is in none of"),
    "env of another's file": ("#!/usr/bin/env {other}\n", "wants a program"),
    "env of many words": ("#!/usr/bin/env -Sperl -e1 {other}\n", "wants a program"),
    "env with variables": ("#!/usr/bin/env -S A=b perl\n", "wants a program"),
    "env of nothing": ("#!/usr/bin/env\n", "wants a program"),
    "env of a folder": ("#!/usr/bin/env .\n", "wants a program"),
    "another's env": ("#!{folder}/env perl\n", "is in none of"),
    "a zero": ("#!/usr/bin/env\0perl\n", "first line"),
    "a carriage return": ("#!/usr/bin/perl\r\n", "first line"),
    "an odd space": ("#!/usr/bin/env\x0bperl\n", "first line"),
    "no end of line": ("#!/usr/bin/env perl", "first line"),
    "a long line": ("#!/usr/bin/env " + "perl " * 60 + "\n", "first line"),
    "nothing": ("#!\n", "is in none of"),
}


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_may_not_name_what_is_not_installed(program, tmp_path, name):
    other = tmp_path / "other"
    other.write_text("#!/usr/bin/perl\n")
    other.chmod(0o755)
    text, reason = SCRIPTS[name]
    with pytest.raises(OSError, match=reason) as refused:
        interpreter_paths([program(text.replace("{other}", str(other)).replace(
            "{folder}", str(tmp_path)))])  # fmt: skip
    assert str(refused.value).isprintable()


@pytest.mark.parametrize("line", ["#!/usr/bin/env perl", "#!/usr/bin/env -S perl -w",
                                  "#! \t/usr/bin/env\tperl", "#!/usr/bin/perl -w"])  # fmt: skip
def test_the_installed_interpreter_of_a_script_is_found(program, line):
    if shutil.which("perl", path="/usr/bin") is None:
        pytest.skip("perl is not installed")
    path = program(f"{line}\nprint 1;\n")
    assert {path, "/usr/bin/perl", LOADER} <= set(executed(path))


@pytest.mark.parametrize("mode", [0o777, 0o775, 0o600])
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can install programs")
def test_an_interpreter_that_others_can_write_is_refused(program, monkeypatch, tmp_path, mode):
    installed = tmp_path / "bin" / "language"
    installed.parent.mkdir()
    shutil.copy("/bin/true", installed)
    monkeypatch.setattr("arena.host.box.executables.PROGRAM_PATH", str(installed.parent))
    path = program(f"#!{installed}\n")
    installed.chmod(0o755)
    assert str(installed) in list(executed(path))
    installed.chmod(mode)
    with pytest.raises(OSError, match="nobody else can write"):
        list(executed(path))
    installed.chmod(0o755)
    os.chown(installed, 65_534, 65_534)
    with pytest.raises(OSError, match="nobody else can write"):
        list(executed(path))
