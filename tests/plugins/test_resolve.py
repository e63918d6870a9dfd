"""Resolution of a typed name into a bot: name, parameters, version, content and trust."""

from __future__ import annotations

import os
from hashlib import sha256
from pathlib import Path

import arena_bots.plugin
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.core.errors import BadPlugin, ParseError, UnknownName
from arena.core.text.parsing import format_call
from arena.plugins.entries import BotSource
from arena.plugins.registry import Registry

REGISTRY = Registry()
BOT = "from arena.core.bot import Bot\n\n\nclass Quick(Bot):\n    pass\n"


def write(path: Path, text: str = BOT) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def test_a_house_bot_is_its_name_the_harness_version_and_its_modules_hash():
    source = REGISTRY.resolve_bot("random")
    module = Path(arena_bots.plugin.__file__).with_name("uniform_random.py")
    assert source.kind == "house"
    assert source.participant.name == "random"
    assert source.participant.content == sha256(module.read_bytes()).hexdigest()
    assert source.origin == f"distribution arena-harness {source.participant.version}"


@pytest.mark.parametrize(
    ("imported", "base"),
    [
        ("from arena_bots.pazaak.stand_at import StandAt", "StandAt"),
        ("from arena_bots.pazaak.stand_at import StandAt as Stand", "Stand"),
        ("from arena_bots.pazaak import stand_at", "stand_at.StandAt"),
        ("import arena_bots.pazaak.stand_at", "arena_bots.pazaak.stand_at.StandAt"),
        ("import arena_bots.pazaak.stand_at as house", "house.StandAt"),
    ],
)
def test_a_bot_that_derives_from_a_house_bot_is_found_in_its_file(tmp_path, imported, base):
    code = f"{imported}\n\n\nclass Helper(dict):\n    pass\n\n\nclass Mine({base}):\n    pass\n"
    file = write(tmp_path / "mine.py", code)
    source = REGISTRY.resolve_bot(str(file), allowed=(modules := REGISTRY.importable()))
    assert source.target == f"{file}:Mine"
    assert modules.keys() == {"arena_bots"}


VALUES = st.one_of(
    st.booleans(),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=8),
)


@given(st.dictionaries(st.from_regex(r"[a-z]{1,4}_", fullmatch=True), VALUES, max_size=4))
def test_parameters_arrive_in_another_process_as_they_were_typed(parameters):
    spelling = format_call("random", parameters)
    source = REGISTRY.resolve_bot(spelling)
    assert source.participant.name == spelling
    packed = msgspec.msgpack.encode(source)
    arrived = msgspec.msgpack.decode(packed, type=BotSource)
    assert arrived == source
    assert [(key, type(value), value) for key, value in sorted(arrived.parameters.items())] == [
        (key, type(value), value) for key, value in sorted(parameters.items())
    ]


def test_a_number_that_no_message_can_carry_is_refused():
    with pytest.raises(ParseError, match="at is outside the 64-bit integers"):
        REGISTRY.resolve_bot(f"random(at={2**63})")


@pytest.mark.parametrize("spelling", ["random(at=)", "random(17)", "random(at=17", "", "(at=1)"])
def test_a_name_that_does_not_parse_is_refused(spelling):
    with pytest.raises(ParseError):
        REGISTRY.resolve_bot(spelling)


def test_an_installed_bot_is_trusted_only_by_its_name(install):
    install("arena-bot-quick", {"arena.bots": {"quick": "quick_bot:Quick"}}, {"quick_bot.py": BOT})
    registry = Registry()
    assert not registry.resolve_bot("quick(at=3)", {"stand"}).trusted
    source = registry.resolve_bot("quick(at=3)", {"quick"})
    assert (source.kind, source.trusted) == ("installed", True)
    assert source.participant.name == "quick(at=3)"
    assert source.participant.version == "1.0"


@pytest.mark.parametrize(
    ("line", "author"),
    [
        ("Author: Ann Lee", "Ann Lee"),
        ("Author-email: ann@example.org", "ann@example.org"),
        ("", ""),
    ],
)
def test_the_author_of_an_installed_bot_is_that_of_its_distribution(install, line, author):
    entries = {"arena.bots": {"quick": "quick_bot:Quick"}}
    (about,) = install("arena-bot-quick", entries, {"quick_bot.py": BOT}).glob("*/METADATA")
    about.write_text(f"{about.read_text()}{line}\n")
    assert Registry().resolve_bot("quick").author == author


def test_a_file_declares_its_author_and_house_bots_have_none(tmp_path):
    file = write(tmp_path / "quick.py", f'__author__ = "Ann Lee"\n{BOT}')
    assert REGISTRY.resolve_bot(str(file)).author == "Ann Lee"
    assert REGISTRY.resolve_bot(str(write(tmp_path / "other.py"))).author == ""
    assert REGISTRY.resolve_bot("random").author == ""


def test_a_house_bot_needs_no_trust_in_any_installation(install):
    code = (
        "from arena.plugins.entries import BotEntry\n"
        "def arena_bots():\n"
        "    return [BotEntry(name='quick', target='vouched.quick:Quick')]\n"
    )
    files = {"vouched/__init__.py": code, "vouched/quick.py": BOT}
    install("arena-vouched", {"arena": {"bots": "vouched"}}, files)
    source = Registry().resolve_bot("quick")
    assert (source.kind, source.participant.version) == ("house", "1.0")
    assert source.trusted
    assert source.participant.content == sha256(BOT.encode()).hexdigest()


def test_the_content_of_an_installed_bot_is_all_its_python_files(install):
    def content(name: str, files: dict[str, str]) -> str:
        install(name, {"arena.bots": {name: f"{name}_bot.main:Quick"}}, files)
        return Registry().resolve_bot(name, {name}).participant.content

    package = {"p_bot/__init__.py": "", "p_bot/main.py": BOT, "p_helper.py": "X = 1\n"}
    first = content("p", package)
    (Path(__import__("p_helper").__file__)).write_text("X = 2\n")
    second = Registry().resolve_bot("p", {"p"}).participant.content
    assert first != second
    assert len(first) == 64


def test_an_editable_installation_counts_the_files_it_runs(install, tmp_path, monkeypatch):
    install("arena-bot-e", {"arena.bots": {"e": "e_bot.main:Quick"}}, {})
    write(tmp_path / "src" / "e_bot" / "__init__.py", "")
    main = write(tmp_path / "src" / "e_bot" / "main.py")
    monkeypatch.syspath_prepend(tmp_path / "src")
    before = Registry().resolve_bot("e", {"e"}).participant.content
    main.write_text(BOT + "# changed\n")
    assert Registry().resolve_bot("e", {"e"}).participant.content != before


@pytest.mark.parametrize("target", ["quick_bot", "quick_bot:", "not a target at all"])
def test_an_entry_point_that_names_no_class_is_refused_by_its_distribution(install, target):
    install("arena-bot-odd", {"arena.bots": {"odd": target}}, {"quick_bot.py": BOT})
    with pytest.raises(BadPlugin, match=r'distribution arena-bot-odd .* "package.module:Class"'):
        Registry().resolve_bot("odd", {"odd"})


@pytest.mark.parametrize("trusted", ["{path}", "quick_file", "Quick"])
def test_a_file_is_trusted_by_path_stem_or_class(tmp_path, trusted):
    path = write(tmp_path / "quick_file.py")
    for spelling in (f"{path}", f"{path}:Quick", f"{path}(at=3)"):
        source = REGISTRY.resolve_bot(spelling, {trusted.format(path=path)})
        assert (source.kind, source.trusted) == ("file", True)
        others = {"other", "quick", "quick_file.py", ""}
        assert not REGISTRY.resolve_bot(spelling, others).trusted


def test_a_file_bot_is_called_what_was_typed_without_folder_and_suffix(tmp_path, monkeypatch):
    path = write(tmp_path / "deep" / "quick.py", '__version__ = "2.5"\n' + BOT)
    monkeypatch.chdir(tmp_path)
    plain = REGISTRY.resolve_bot("deep/quick.py", {"quick"})
    named = REGISTRY.resolve_bot("deep/quick.py:Quick(b=2, a='x y')", {"quick"})
    assert plain.participant.name == "quick"
    assert named.participant.name == "quick:Quick(a='x y',b=2)"
    assert named.parameters == {"a": "x y", "b": 2}
    assert plain.participant.version == named.participant.version == "2.5"
    assert plain.target == f"{path}:Quick"
    assert plain.participant.content == sha256(path.read_bytes()).hexdigest()


def test_the_version_of_a_file_without_one_is_its_hash(tmp_path):
    path = write(tmp_path / "quick.py", "__version__ = str(1)\n" + BOT)
    assert REGISTRY.resolve_bot(str(path), {"quick"}).participant.version == "file"


def test_no_code_of_a_file_runs_before_it_is_loaded(tmp_path):
    path = write(tmp_path / "loud.py", BOT + "raise SystemExit('ran')\n")
    assert REGISTRY.resolve_bot(str(path), {"loud"}).target.endswith("loud.py:Quick")


@pytest.mark.parametrize(
    "classes",
    [
        "from arena import Bot\nclass A(Bot): ...\n",
        "import arena\nclass A(arena.Bot): ...\n",
        "from arena.core.bot import Bot as Base\nclass A(Base[int]): ...\n",
        "from arena import Bot\nclass _Base(Bot): ...\nclass A(_Base): ...\nclass Other: ...\n",
    ],
)
def test_the_only_bot_of_a_file_need_not_be_named(tmp_path, classes):
    path = write(tmp_path / "file.py", classes)
    assert REGISTRY.resolve_bot(str(path), {"file"}).target == f"{path}:A"


def test_one_of_several_bots_in_a_file_must_be_named(tmp_path):
    path = write(tmp_path / "two.py", BOT + "class Other(Quick): ...\nclass Help: ...\n")
    with pytest.raises(ParseError, match=r"holds several bots.*one of Quick, Other"):
        REGISTRY.resolve_bot(str(path), {"two"})
    with pytest.raises(UnknownName, match=r"unknown class 'Nil' of .*two.py.*Other, Quick"):
        REGISTRY.resolve_bot(f"{path}:Nil", {"two"})
    assert REGISTRY.resolve_bot(f"{path}:Other", {"two"}).participant.name == "two:Other"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("def broken(:\n", r"not valid Python: .* \(line 1\)"),
        ("x = 1\0\n", "not valid Python"),
        ("class A: ...\n", "no class that derives from arena.Bot"),
    ],
)
def test_a_file_that_holds_no_bot_is_refused_by_name(tmp_path, text, says):
    path = write(tmp_path / "odd.py", text)
    with pytest.raises(BadPlugin, match=says) as refused:
        REGISTRY.resolve_bot(str(path), {"odd"})
    assert str(path) in str(refused.value)


def test_a_file_that_cannot_be_read_is_refused_by_name(tmp_path):
    (tmp_path / "folder.py").mkdir()
    for name in ("missing.py", "folder.py"):
        with pytest.raises(BadPlugin, match=f"{name} cannot be read: .*give the path"):
            REGISTRY.resolve_bot(str(tmp_path / name), {name})


def test_a_path_may_hold_brackets_and_spaces(tmp_path):
    path = write(tmp_path / "bots (old)" / "quick.py")
    source = REGISTRY.resolve_bot(f"{os.path.relpath(path)}(at=1)", {"quick"})
    assert (source.target, source.parameters) == (f"{path}:Quick", {"at": 1})
