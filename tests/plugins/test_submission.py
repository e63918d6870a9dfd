"""Submissions are read without running their code: files, folders, wheels and programs."""

from __future__ import annotations

import io
import subprocess
import sys
import tarfile

import pytest

from arena.core.errors import BadInput, BadPlugin, ParseError, UnknownName
from arena.plugins.submissions.submission import read_package
from tests.plugins.packages import BOMB, BOT, EXAMPLES, PROGRAM, PROJECT, WHEEL, wheel, write


def test_the_metadata_of_a_file_is_read_without_running_it(tmp_path):
    path = write(tmp_path, {"careful.py": BOMB}) / "careful.py"
    package = read_package(str(path))
    assert (package.name, package.version, package.author) == ("careful", "1.2", "Ann")
    assert (package.licence, package.games) == ("MIT", ("pazaak",))
    assert (package.kind, package.language) == ("submitted", "python")
    assert package.target == "careful:Careful"
    assert package.files == {"careful.py": BOMB.encode()}


def test_one_of_several_bots_in_a_file_must_be_named(tmp_path):
    code = "from arena import Bot\nclass A(Bot): pass\nclass B(Bot): games = ['sabacc']\n"
    path = write(tmp_path, {"two.py": code}) / "two.py"
    with pytest.raises(ParseError, match=r"holds several bots; write .*two.py:NAME with one of A"):
        read_package(str(path))
    package = read_package(f"{path}:B")
    assert (package.name, package.target, package.games) == ("B", "two:B", ("sabacc",))
    assert package.version == ""


def test_a_folder_is_its_project_file_and_its_one_entry_point(tmp_path):
    files = {"pyproject.toml": PROJECT, "careful_bot/play.py": BOMB, "careful_bot/data.bin": b"\0"}
    package = read_package(str(write(tmp_path / "it", files)))
    assert (package.name, package.version, package.licence) == ("careful", "2.0", "MIT")
    assert package.author == "Ann, bob@example.org"
    assert package.games == ("pazaak",)
    assert package.requires == ("arena-harness", "numpy>=2")
    assert sorted(package.files) == sorted(files)


def test_a_folder_without_a_project_file_is_its_one_bot_file(tmp_path):
    folder = write(tmp_path / "mine", {"bot.py": BOMB, "helpers.py": "X = 1\n"})
    package = read_package(str(folder))
    assert (package.name, package.target) == ("mine", "bot:Careful")
    write(folder, {"more.py": BOMB})
    with pytest.raises(BadPlugin, match=r"several bots: bot.py:Careful, more.py:Careful; say"):
        read_package(str(folder))


def test_a_wheel_is_its_metadata_and_its_one_entry_point(tmp_path):
    package = read_package(str(wheel(tmp_path / "a-2.0-py3-none-any.whl", WHEEL)))
    assert (package.name, package.version, package.author) == ("careful", "2.0", "Ann")
    assert (package.licence, package.games, package.requires) == ("MIT", ("pazaak",), ("numpy",))
    assert package.target == "careful_bot.play:Careful"


def test_a_real_wheel_of_the_example_is_read(tmp_path):
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check",
         "--no-deps", "--no-build-isolation", "--no-index", "-w", tmp_path,
         EXAMPLES / "arena-bot-cautious"],
        check=True,
    )  # fmt: skip
    (path,) = tmp_path.glob("*.whl")
    package = read_package(str(path))
    assert (package.name, package.version, package.licence) == ("cautious", "1.0.0", "MIT")
    assert "arena_bot_cautious/bot.py" in package.files


def test_a_program_is_a_folder_with_a_command(tmp_path):
    files = {"pyproject.toml": PROGRAM.format(command='["node", "bot.js"]'), "bot.js": "1\n"}
    package = read_package(str(write(tmp_path, files)))
    assert (package.name, package.kind, package.language) == ("sharp", "program", "node")
    assert (package.command, package.target) == (("node", "bot.js"), "")
    assert package.games == ("pazaak", "sabacc")


def test_a_name_can_be_given_and_is_one_that_people_can_type(tmp_path):
    path = str(write(tmp_path, {"a b.py": BOMB}) / "a b.py")
    with pytest.raises(BadInput, match="'a b': expected a name for a bot; give one with --name"):
        read_package(path)
    assert read_package(path, "a-b").name == "a-b"
    for name in ("x.py", "a@1", "a(b)", "-a", "a\n", "", "a" * 65):
        if name:
            with pytest.raises(BadInput, match="expected a name for a bot"):
                read_package(path, name)


def test_one_of_several_bots_in_a_package_must_be_named(tmp_path):
    files = {
        "pyproject.toml": PROJECT + 'brave = "careful_bot.play:Brave"\n',
        "careful_bot/play.py": BOMB,
    }
    folder = str(write(tmp_path / "it", files))
    with pytest.raises(BadPlugin, match="several bots; name one with --name: brave, careful"):
        read_package(folder)
    assert read_package(folder, "brave").target == "careful_bot.play:Brave"


def test_content_is_names_and_bytes_and_nothing_else(tmp_path):
    one = read_package(str(wheel(tmp_path / "a.whl", WHEEL)))
    backwards = dict(reversed(WHEEL.items()))
    later = read_package(str(wheel(tmp_path / "b.whl", backwards, stamp=2020)))
    assert one.content == later.content
    assert len(one.content) == 64
    changed = WHEEL | {"careful_bot/play.py": BOMB + "#"}
    assert read_package(str(wheel(tmp_path / "c.whl", changed))).content != one.content
    renamed = WHEEL | {"careful_bot/more.py": ""}
    del renamed["careful_bot/__init__.py"]
    assert read_package(str(wheel(tmp_path / "d.whl", renamed))).content != one.content


def test_compiled_hidden_and_virtual_files_are_no_part_of_a_folder(tmp_path):
    folder = write(tmp_path / "it", {"bot.py": BOMB})
    before = read_package(str(folder))
    write(
        folder,
        {
            "__pycache__/bot.cpython-311.pyc": b"\0",
            ".git/config": "x",
            "env/pyvenv.cfg": "home = x",
            "env/lib/big.py": "x",
            "it.egg-info/PKG-INFO": "x",
        },
    )
    assert read_package(str(folder)) == before


def test_source_distributions_are_refused_with_the_reason(tmp_path):
    packed = tmp_path / "a-1.0.tar.gz"
    with tarfile.open(packed, "w:gz") as archive:
        about = tarfile.TarInfo("a-1.0/setup.py")
        archive.addfile(about, io.BytesIO())
    zipped = wheel(tmp_path / "a-1.0.zip", {"a-1.0/setup.py": "1/0", "a-1.0/a.py": BOMB})
    for path in (packed, zipped):
        with pytest.raises(BadPlugin, match="source distribution: building it would run its code"):
            read_package(str(path))


@pytest.mark.parametrize("top", ["", "careful-main/"])
def test_a_zip_archive_of_a_folder_is_read_as_the_folder(tmp_path, top):
    files = {"pyproject.toml": PROJECT, "careful_bot/play.py": BOMB, "setup.py": "1/0"}
    folder = read_package(str(write(tmp_path / "it", files)))
    more = {
        ".git/config": "x",
        "careful_bot/__pycache__/play.cpython-311.pyc": "x",
        "it.egg-info/PKG-INFO": "x",
        "env/pyvenv.cfg": "home = x",
        "env/lib/big.py": "x",
        "arena.db": "x",
        "arena.db-wal": "x",
    }
    packed = {f"{top}{name}": text for name, text in {**files, **more}.items()}
    packed["__MACOSX/._it"] = "x"
    assert read_package(str(wheel(tmp_path / "it.zip", packed))) == folder


def test_a_zip_archive_is_named_as_its_folder_or_file(tmp_path):
    project = '[tool.arena.bot]\ncommand = ["./play"]\ngames = ["pazaak"]\n'
    files = {"team/pyproject.toml": project, "team/play": "x"}
    packed = wheel(tmp_path / "sent.zip", files)
    assert read_package(str(packed)).name == "team"
    flat = {name.removeprefix("team/"): text for name, text in files.items()}
    assert read_package(str(wheel(tmp_path / "flat.zip", flat))).name == "flat"


def test_a_zip_archive_that_is_no_bot_is_refused_with_the_reason(tmp_path):
    packed = wheel(tmp_path / "x.zip", {"a.txt": "x", "b/c.txt": "x"})
    with pytest.raises(BadPlugin, match=r"x.zip holds no pyproject.toml and no bot"):
        read_package(str(packed))
    packed = wheel(tmp_path / "x.zip", {"a-1.0/pyproject.toml": PROJECT, "a-1.0/PKG-INFO": "x"})
    with pytest.raises(BadPlugin, match="is a source distribution"):
        read_package(str(packed))


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ({"readme.txt": "x"}, "holds no pyproject.toml and no bot"),
        (
            {"readme.txt": "x", "team/bot.py": BOMB},
            "no bot at its top; it holds team/bot.py: submit that folder",
        ),
        ({"pyproject.toml": "[project"}, "expected TOML"),
        ({"pyproject.toml": b"\xff"}, "is not UTF-8 text"),
        ({"pyproject.toml": "[project]\nversion = 3\n"}, r"Expected str, got int - at \$.project"),
        ({"pyproject.toml": "[project]\nname = 'x'\n"}, "declares no bot; add"),
        ({"pyproject.toml": PROJECT}, "names careful_bot.play, which it does not hold"),
        (
            {"pyproject.toml": PROJECT.replace("careful_bot.play:Careful", "../x")},
            "not of the form",
        ),
        ({"pyproject.toml": PROJECT, "careful_bot/play.py": "def"}, "is not valid Python"),
        (
            {"pyproject.toml": PROJECT + "[tool.arena.bot]\ncommand = ['x']", "x": ""},
            "a command and a Python bot",
        ),
        ({"pyproject.toml": PROGRAM.format(command='["/bin/sh"]')}, "begins with the path /bin/sh"),
        ({"pyproject.toml": PROGRAM.format(command='["../x"]')}, r"begins with the path \.\./x"),
        ({"pyproject.toml": PROGRAM.format(command='["./x"]')}, "which it does not hold"),
        ({"pyproject.toml": PROGRAM.format(command='[""]')}, "names no program"),
        (
            {"pyproject.toml": "[tool.arena.bot]\ncomand = ['x']", "x": ""},
            r"\[tool.arena.bot\]: unknown key 'comand'; .*; did you mean command\?",
        ),
        ({"random.py": BOMB}, "a module called random exists already"),
        ({"arena.py": BOMB}, "a module called arena exists already"),
        ({"cup.db": "x", "cup.db-wal": "x"}, "holds cup.db, a database that a program has open"),
    ],
)
def test_a_folder_that_is_no_bot_is_refused_with_the_reason(tmp_path, files, reason):
    with pytest.raises(BadPlugin, match=reason) as caught:
        read_package(str(write(tmp_path / "it", files)))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("x = 1\n", "holds no class that derives"),
        ("def", "is not valid Python"),
        ("\0", "is not valid Python"),
        ("x = " + "-" * 100_000 + "1", "is nested too deeply|is not valid Python"),
        ("x = 1" + "+1" * 100_000, "is nested too deeply|is not valid Python"),
        ("#" * 1_000_001, "longer than 1000000 bytes"),
    ],
)
def test_a_file_that_is_no_bot_is_refused_with_the_reason(tmp_path, code, reason):
    path = write(tmp_path, {"bot.py": code}) / "bot.py"
    with pytest.raises(BadPlugin, match=reason) as caught:
        read_package(str(path))
    assert "\n" not in str(caught.value)


def test_what_is_not_there_or_takes_parameters_is_refused(tmp_path):
    for typed in ("none.py", "none", "none.whl"):
        with pytest.raises(BadInput, match=f"there is no .*{typed}; give the path of"):
            read_package(str(tmp_path / typed))
    path = write(tmp_path, {"bot.py": BOMB}) / "bot.py"
    with pytest.raises(BadInput, match="is submitted without parameters"):
        read_package(f"{path}(at=3)")
    with pytest.raises(UnknownName, match="choices: Careful"):
        read_package(f"{path}:Bold")
    (tmp_path / "x.txt").write_text("")
    with pytest.raises(BadPlugin, match="expected a bot; give the path"):
        read_package(str(tmp_path / "x.txt"))


def test_metadata_of_an_untrusted_bot_has_no_control_characters(tmp_path):
    code = BOT.format(extra='__author__ = "A\\x1b[2Jnn\\n" + "x"\n__author__ = "A\\x1b[2J\\nnn"')
    package = read_package(str(write(tmp_path, {"careful.py": code}) / "careful.py"))
    assert package.author == "A?[2J nn"
