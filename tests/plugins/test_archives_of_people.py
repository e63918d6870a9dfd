"""Archives as people make them: of every system, some folders too deep, named otherwise."""

from __future__ import annotations

import gzip
import io
import tarfile
import time
import zipfile
from pathlib import Path
from unicodedata import normalize

import pytest

from arena.core.errors import BadPlugin
from arena.plugins.submissions import archives
from arena.plugins.submissions.submission import Package, read_package

BOT = b"from arena import Bot\n\n\nclass Mine(Bot):\n    pass\n"
PROGRAM = '[tool.arena.bot]\ncommand = ["node", "böt.js"]\ngames = ["pazaak"]\n'.encode()
JUNK = (
    *("__MACOSX/team/._bot.py", ".DS_Store", "team/.DS_Store", "Thumbs.db", "team/desktop.ini"),
    *("team/.git/config", "team/venv/pyvenv.cfg", "team/venv/bin/python"),
)


def zipped(files: dict[str, bytes], *, system: int = 3, attributes: int = 0) -> bytes:
    """A zip archive whose names are written as they are."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in files.items():
            about = zipfile.ZipInfo("x")
            about.filename, about.create_system, about.external_attr = name, system, attributes
            archive.writestr(about, content)
    return buffer.getvalue()


def tarred(files: dict[str, bytes | tarfile.TarInfo], mode: str = "w:gz", **options) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode=mode, **options) as archive:
        for name, content in files.items():
            about = content if isinstance(content, tarfile.TarInfo) else tarfile.TarInfo(name)
            data = b"" if isinstance(content, tarfile.TarInfo) else content
            about.size = about.size or len(data)
            archive.addfile(about, io.BytesIO(data))
    return buffer.getvalue()


def shown(value: object) -> str:
    """A parameter's text in the name of a test; archives have none."""
    return value if isinstance(value, str) else ""


PACKERS = {"team.zip": zipped, "team.tar.gz": tarred, "team.tgz": tarred, "TEAM.ZIP": zipped}


@pytest.fixture
def read(tmp_path: Path):
    """Reads an archive as a submission."""

    def read(data: bytes, name: str = "team.zip") -> Package:
        (tmp_path / name).write_bytes(data)
        return read_package(str(tmp_path / name))

    return read


@pytest.mark.parametrize("name", PACKERS)
@pytest.mark.parametrize("top", ["", "team/", "outer/team/", "./team/", "./", "a/b/c/d/"])
def test_a_folder_is_found_at_any_depth(read, name, top):
    files = {f"{top}bot.py": BOT, f"{top}data/table.txt": b"1"}
    package = read(PACKERS[name](files), name)
    assert package.files == {"bot.py": BOT, "data/table.txt": b"1"}


@pytest.mark.parametrize("name", PACKERS)
def test_what_systems_add_is_left_out_and_counts_for_nothing(read, name):
    large = {junk: bytes(1_000_000) for junk in JUNK}
    many = {f"team/.git/{number}": b"x" for number in range(2_000)}
    package = read(PACKERS[name]({"team/bot.py": BOT, **large, **many}), name)
    assert package.files == {"bot.py": BOT}


def test_a_program_without_a_name_is_called_as_its_folder_or_archive(read):
    files = {"pyproject.toml": PROGRAM, "böt.js": b"1"}
    assert read(zipped(files), "red.team.tar.gz").name == "red.team"
    assert read(zipped({f"x/blue/{name}": data for name, data in files.items()})).name == "blue"


def test_a_folder_too_deep_is_found_in_a_folder_too(tmp_path):
    (tmp_path / "team" / "team").mkdir(parents=True)
    (tmp_path / "team" / "team" / "bot.py").write_bytes(BOT)
    assert [*read_package(str(tmp_path / "team")).files] == ["bot.py"]


def test_a_project_beside_other_files_is_named(read):
    packed = zipped({"readme.txt": b"x", "team/pyproject.toml": b"", "team/bot.py": BOT})
    with pytest.raises(BadPlugin, match=r"it holds team/pyproject\.toml: submit that folder"):
        read(packed)


def test_the_backslashes_of_windows_are_slashes(read):
    files = {"team\\": b"", "team\\data\\": b"", "team\\bot.py": BOT, "team\\data\\t.txt": b"1"}
    assert [*read(zipped(files, system=0)).files] == ["bot.py", "data/t.txt"]
    folder = zipped({"team": b""}, system=0, attributes=0x10)
    assert folder  # a folder without a slash
    both = io.BytesIO(folder)
    with zipfile.ZipFile(both, "a") as archive:
        archive.writestr("team/bot.py", BOT)
    assert [*read(both.getvalue()).files] == ["bot.py"]


@pytest.mark.parametrize(("name_from", "name"), [("", "my-bot"), ("path", "ann")])
def test_the_name_by_path_is_that_of_the_archive_and_not_of_a_folder_in_it(
    tmp_path, name_from, name
):
    (tmp_path / "ann.zip").write_bytes(zipped({"my-bot/bot.py": BOT}))
    assert read_package(str(tmp_path / "ann.zip"), name_from=name_from).name == name


@pytest.mark.parametrize("packer", [zipped, tarred])
@pytest.mark.parametrize(
    "path",
    ["..\\bot.py", "a\\..\\..\\bot.py", "\\bot.py", "\\\\host\\share\\bot.py", "C:\\bot.py",
     "c:bot.py", "C:/bot.py", "/bot.py", "../bot.py", "a/../../bot.py", "a/.."],
)  # fmt: skip
def test_a_path_that_leads_out_is_refused_whatever_its_slashes(read, packer, path):
    with pytest.raises(BadPlugin, match="a path that leads out of it; pack the folder itself"):
        read(packer({path: BOT}))


@pytest.mark.parametrize("packer", [archives.packed, tarred])
@pytest.mark.parametrize(
    "left_out",
    [
        {".git/objects/pack": bytes(30_000_000)},
        {"venv/lib/numpy.so": bytes(30_000_000), "venv/pyvenv.cfg": b""},
        {f"__pycache__/{number}.pyc": b"" for number in range(2_100)},
    ],
    ids=shown,
)
def test_files_that_are_left_out_count_for_no_limit(read, packer, left_out):
    assert [*read(packer({**left_out, "bot.py": BOT})).files] == ["bot.py"]


@pytest.mark.parametrize("packer", [zipped, tarred])
@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_names_with_letters_fit_those_of_the_project_file(read, packer, form):
    name = normalize(form, "böt.js")
    assert "böt.js" in read(packer({"pyproject.toml": PROGRAM, name: b"1"})).files


@pytest.mark.parametrize(("raw", "found"), [("ö".encode(), "ö"), (b"\x94", "ö"), (b"\xe1", "ß")])
def test_names_in_a_zip_that_does_not_name_their_encoding(read, raw, found):
    """macOS writes UTF-8 without saying so; others the letters of their console (cp437)."""
    marks = "X" * len(raw)
    packed = zipped({f"{marks}.txt": b"1", "bot.py": BOT}).replace(marks.encode(), raw)
    assert f"{found}.txt" in read(packed).files


def test_names_in_a_tar_that_are_not_utf_8_are_latin_1(read):
    packed = tarred({"ö.txt": b"1", "bot.py": BOT}, encoding="latin-1", format=tarfile.GNU_FORMAT)
    assert "ö.txt" in read(packed).files


def test_long_names_of_a_tar_are_read(read):
    name = "/".join(["a" * 90] * 4)
    for form in (tarfile.GNU_FORMAT, tarfile.PAX_FORMAT):
        assert name in read(tarred({name: b"1", "bot.py": BOT}, format=form)).files


@pytest.mark.parametrize("data", [zipped, tarred, lambda files: tarred(files, "w")])
@pytest.mark.parametrize("name", ["team.zip", "team.tar.gz", "team.tgz", "team.7z", "team"])
def test_content_says_what_an_archive_is_not_its_name(read, data, name):
    assert [*read(data({"bot.py": BOT}), name).files] == ["bot.py"]


@pytest.mark.parametrize(
    ("start", "kind"),
    [
        (b"7z\xbc\xaf\x27\x1c\0\4", "7z"),
        (b"Rar!\x1a\x07\0", "RAR"),
        (b"Rar!\x1a\x07\1\0", "RAR"),
        (b"\xfd7zXZ\0", "xz"),
        (b"BZh91AY", "bzip2"),
        (b"\x28\xb5\x2f\xfd", "zstd"),
    ],
)
@pytest.mark.parametrize("name", ["team.zip", "team.7z", "team.tar.xz", "team"])
def test_other_archives_are_refused_by_their_true_names(read, start, kind, name):
    with pytest.raises(BadPlugin, match=f"is a {kind} archive; pack its folder as .zip or .tar.gz"):
        read(start + bytes(100), name)


@pytest.mark.parametrize(
    ("data", "name", "reason"),
    [
        (zipped({}), "team.zip", "is an empty archive"),
        (tarred({}), "team.tgz", "is an empty archive"),
        (b"", "team.zip", "expected an archive"),
        (b"hello", "team.tar.gz", "expected an archive"),
        (
            b"hello",
            "notes.txt",
            "expected a bot; give the path of a .py file, a folder, a .zip or .t",
        ),
        (gzip.compress(BOT), "bot.py.gz", "is a gzip file without a tar archive in it"),
        (tarred({"bot.py": BOT})[:-20], "team.tgz", "unreadable archive"),
        (tarred({"bot.py": BOT}, "w")[:520], "team.tar", "unreadable archive: it ends within"),
        (zipped({"bot.py": BOT})[:-20], "team.zip", "unreadable archive"),
        (
            zipped({"a/in.zip": zipped({"bot.py": BOT}), "a/x": b""}),
            "team.zip",
            "holds another archive, in.zip; unpack it and submit in.zip",
        ),
        (
            tarred({f"{n}.tgz": tarred({"bot.py": BOT}) for n in "ab"}),
            "all.tgz",
            "holds 2 archives, such as a.tgz; unpack it and submit each",
        ),
    ],
    ids=shown,
)
def test_what_cannot_be_read_is_one_line(read, data, name, reason):
    with pytest.raises(BadPlugin, match=reason) as caught:
        read(data, name)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE, b"Q"]
)
def test_links_and_devices_in_a_tar_are_refused(read, kind):
    link = tarfile.TarInfo("link")
    link.type, link.linkname = kind, "/etc/passwd"
    with pytest.raises(BadPlugin, match="holds link, a link or a device; put files only"):
        read(tarred({"bot.py": BOT, "link": link}))


def header(**values) -> bytes:
    about = tarfile.TarInfo("x")
    for name, value in values.items():
        setattr(about, name, value)
    return about.tobuf(tarfile.GNU_FORMAT)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (tarred({f"{n}": bytes(10_000_000) for n in range(3)}), "too big"),
        (tarred({f"{n}": b"" for n in range(2_001)}), "too big: a submission has at most 2000"),
        (gzip.compress(bytes(101_000_000)), "too big"),
        (gzip.compress(header(name=".x") * 21_000, 1), "too big: a submission has at most 2000"),
        (header(size=2**33) + bytes(1024), "it ends within a file"),
        (header(size=-512) + bytes(1024), "unreadable archive"),
        (header(type=b"Q", size=-1024) + bytes(1024), "unreadable archive"),
        (header(type=b"x", size=9_000_000) + b"1" * 9_000_000 + bytes(1024), "a header of more"),
        (header(type=b"L", size=-1) + bytes(1024), "unreadable archive"),
        (header(type=b"x") * 3_000 + bytes(1024), "unreadable archive"),
        (header() + b"damaged" * 200, "damaged after 1 members"),
    ],
    ids=shown,
)
def test_a_hostile_tar_is_refused_soon(read, data, reason):
    begun = time.process_time()
    with pytest.raises(BadPlugin, match=reason):
        read(data, "team.tar")
    assert time.process_time() - begun < 5
