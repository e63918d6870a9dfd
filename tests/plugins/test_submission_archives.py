"""Refused archives and folders: false sizes, paths outside, too large; others are kept whole."""

from __future__ import annotations

import os
import stat
import tempfile
import zipfile
from pathlib import Path, PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.core.errors import BadPlugin
from arena.plugins.submissions import archives
from arena.plugins.submissions.archive_reading import zip_files
from arena.plugins.submissions.archives import folder_files, packed, write_files


def zipped(tmp_path: Path, *entries: tuple[str, str | bytes], mode: int = 0) -> bytes:
    path = tmp_path / "it.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries:
            about = zipfile.ZipInfo(name)
            about.external_attr = mode << 16
            archive.writestr(about, content, zipfile.ZIP_DEFLATED)
    return path.read_bytes()


NAMES = st.lists(
    st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "S"]), min_size=1, max_size=6)
    .filter(lambda part: part not in (".", "..") and not {"/", "\\"} & set(part))
    .filter(str.isprintable),
    min_size=1,
    max_size=3,
).map("/".join)


def apart(files: dict[str, bytes]) -> bool:
    """True if no name is both a file and a folder."""
    return not any(str(up) in files for name in files for up in PurePosixPath(name).parents)


@given(st.dictionaries(NAMES, st.binary(max_size=40), min_size=1, max_size=6).filter(apart))
def test_packed_files_are_unpacked_byte_for_byte(files):
    archive = packed(files)
    assert zip_files("it", archive) == files
    assert packed(dict(reversed(files.items()))) == archive
    visible = {
        name: content
        for name, content in files.items()
        if not any(part.startswith(".") for part in name.split("/"))
    }
    with tempfile.TemporaryDirectory() as folder:
        write_files(visible, Path(folder))
        assert folder_files("it", Path(folder)) == visible


def refusal(data: bytes) -> str:
    """The reason for which an archive is refused; empty if it can be read."""
    try:
        zip_files("it", data)
    except BadPlugin as error:
        return str(error)
    return ""


@given(st.binary(max_size=400))
def test_any_bytes_are_read_or_refused_in_one_line(data):
    assert "\n" not in refusal(data)


@given(st.data())
def test_a_damaged_archive_is_read_or_refused_in_one_line(data):
    whole = bytearray(packed({"a/b.py": b"x" * 50, "c": bytes(range(256))}))
    for _ in range(data.draw(st.integers(1, 4))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    assert "\n" not in refusal(bytes(whole))


@pytest.mark.parametrize(
    "name", ["/etc/passwd", "../x", "a/../../x", "a/..", "..\\x", "c:\\x", "../", "/x/"]
)
def test_a_path_that_leads_out_is_refused(tmp_path, name):
    with pytest.raises(BadPlugin, match="leads out of it"):
        zip_files("it", zipped(tmp_path, (name, "x")))


@pytest.mark.parametrize("name", ["a//b", "./a", "a/.", "a\x1b[2J", "a\nb", "x" * 201, "y/" * 260])
def test_an_unusable_path_is_refused_and_shown_printably(tmp_path, name):
    with pytest.raises(BadPlugin, match="cannot be used as a path") as caught:
        zip_files("it", zipped(tmp_path, (name, "x")))
    assert str(caught.value).isprintable()


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFCHR, stat.S_IFIFO, stat.S_IFSOCK])
def test_links_and_devices_in_an_archive_are_refused(tmp_path, kind):
    with pytest.raises(BadPlugin, match="holds x, a link or a device"):
        zip_files("it", zipped(tmp_path, ("x", "/etc/passwd"), mode=kind | 0o777))


def test_a_bomb_is_refused_before_it_is_large(tmp_path):
    whole = zipped(tmp_path, *((f"{n}", bytes(10_000_000)) for n in range(3)))
    assert len(whole) < 100_000
    with pytest.raises(BadPlugin, match=r"too big: a submission has at most 25 MB in all$"):
        zip_files("it", whole)


def test_too_many_files_are_refused(tmp_path):
    with pytest.raises(BadPlugin, match=r"too big: a submission has at most 2000 files$"):
        zip_files("it", zipped(tmp_path, *((f"{n}", b"") for n in range(2_001))))
    for n in range(2_001):
        (tmp_path / f"{n}").touch()
    with pytest.raises(BadPlugin, match=r"too big: a submission has at most 2000 files$"):
        folder_files("it", tmp_path)


def test_too_many_bytes_in_a_folder_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(archives, "MAX_BYTES", 100)
    for n in range(3):
        (tmp_path / f"{n}").write_bytes(bytes(40))
    with pytest.raises(BadPlugin, match="too big"):
        folder_files("it", tmp_path)


def test_a_duplicate_name_is_refused_also_as_file_and_folder(tmp_path):
    with pytest.warns(UserWarning, match="Duplicate name"):
        twice = zipped(tmp_path, ("a", "1"), ("a", "2"))
    with pytest.raises(BadPlugin, match="holds a twice"):
        zip_files("it", twice)
    with pytest.raises(BadPlugin, match="holds a both as a file and as a folder"):
        zip_files("it", zipped(tmp_path, ("a", "1"), ("a/b", "2")))


def test_an_unusual_or_encrypted_archive_is_refused(tmp_path):
    path = tmp_path / "it.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("a", b"x" * 100)
    with pytest.raises(BadPlugin, match="packed in an unusual way"):
        zip_files("it", path.read_bytes())
    locked = bytearray(zipped(tmp_path, ("a", "x")))
    for start in (locked.index(b"PK\x03\x04") + 6, locked.index(b"PK\x01\x02") + 8):
        locked[start] |= 1
    with pytest.raises(BadPlugin, match="it is encrypted; pack it without a password"):
        zip_files("it", bytes(locked))


@pytest.mark.parametrize("target", ["/etc/passwd", "bot.py", "nowhere", "/etc", "."])
def test_a_link_in_a_folder_is_refused_wherever_it_leads(tmp_path, target):
    (tmp_path / "bot.py").write_text("x")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "link").symlink_to(target)
    with pytest.raises(BadPlugin, match="holds the link sub/link"):
        folder_files("it", tmp_path)


def test_a_pipe_in_a_folder_is_refused_at_once(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(BadPlugin, match="it/pipe: expected an ordinary file"):
        folder_files("it", tmp_path)


def test_files_are_written_only_into_an_empty_folder(tmp_path):
    (tmp_path / "there").write_text("mine")
    with pytest.raises(BadPlugin, match="is not empty; nothing was written"):
        write_files({"a": b""}, tmp_path)
    with pytest.raises(BadPlugin, match="cannot write to"):
        write_files({"a": b""}, tmp_path / "there" / "below")
    assert [path.name for path in tmp_path.iterdir()] == ["there"]
