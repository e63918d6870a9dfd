import json
import os
import re
import zipfile
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest

import arena
from arena.plugins.endpointfile import FILE_ROWS, file_text, read_endpoint_file
from tests.cli.in_process import run_in_process
from tests.endpoints.runs import write_endpoint

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "endpoint-file.md"


def arena_run(*words, folder):
    code, out, err = run_in_process(words, folder, os.environ)
    return SimpleNamespace(code=code, out=out, err=err)


def test_a_new_file_asks_the_endpoint_that_is_written_into_it(fake, tmp_path):
    folder = tmp_path / "gpt"
    made = arena_run("new", "bot", "gpt", "--endpoint", folder=tmp_path)
    path = folder / "gpt.toml"
    assert "arena check bot gpt/gpt.toml" in made.err
    path.write_text(path.read_text().replace("http://127.0.0.1:8080/v1/chat/completions", fake.url))
    failed = arena_run("check", "bot", str(path), folder=tmp_path)
    assert failed.code == 2
    assert "HTTP 404, no such address or model" in failed.err
    path.write_text(path.read_text().replace('"default"', '"stand"'))
    checked = arena_run("check", "bot", str(path), folder=tmp_path)
    assert re.search(r": stand answers in .* tokens, price not known\), answer = ", checked.out)
    report = json.loads(arena_run("check", "bot", str(path), "-o", "json", folder=tmp_path).out)
    assert (report["passed"], report["cost"]) == (True, None)
    bot = arena.EndpointBot(name="gpt", url=fake.url, model="stand", price_in=1.0, price_out=1.0)
    assert arena.check_bot(bot)["cost"] > 0
    template = "{{ 'Play.' if game == 'pazaak' else pot }}"
    wrong = arena.EndpointBot(name="gpt", url=fake.url, model="stand", template=template)
    with pytest.raises(arena.BadInput, match=r"^sabacc: prompt: line 1: 'pot' is undefined"):
        arena.check_bot(wrong)


def test_a_loadout_that_no_game_takes_does_not_pass(fake, tmp_path):
    write_endpoint(tmp_path, fake.url, model="stand", loadout="+1 +2")
    checked = arena_run("check", "bot", "gpt.toml", folder=tmp_path)
    assert (checked.code, len(checked.err.splitlines())) == (2, 1)
    assert checked.err.startswith("arena: loadout: pazaak: ")


def test_a_file_is_no_submission(tmp_path):
    path = tmp_path / "gpt.toml"
    path.write_text(file_text())
    refused = arena_run("submit", str(path), "--db", "a.db", folder=tmp_path)
    assert refused.code == 2
    assert "an endpoint of a language model is never submitted" in refused.err
    folder, archive = tmp_path / "gpt", tmp_path / "gpt.zip"
    folder.mkdir()
    path.rename(folder / "gpt.toml")
    with zipfile.ZipFile(archive, "w") as packed:
        packed.write(folder / "gpt.toml", "gpt.toml")
    for submitted in ("gpt", "gpt.zip"):
        refused = arena_run("submit", submitted, "--db", "a.db", folder=tmp_path)
        assert refused.code == 2
        assert f"{submitted} holds gpt.toml: an endpoint" in refused.err
        assert "the organiser enters it by its file" in refused.err
    checked = arena_run("check", "bot", "gpt", folder=tmp_path)
    assert checked.code == 2
    assert checked.err.endswith("name that file: gpt/gpt.toml\n")


@pytest.mark.parametrize(
    ("mode", "said"),
    [
        ("refusal", "the model refuses to answer: I do not gamble., 3 times of 3"),
        ("filter", "a content filter stopped the answer, 3 times of 3"),
        ("empty", "the answer is empty, 3 times of 3"),
    ],
)
def test_a_model_that_gives_no_answer_does_not_pass(fake, tmp_path, mode, said):
    for answer in ("line", "schema"):
        write_endpoint(tmp_path, fake.url, model=f"stand+fail={mode}", answer=answer)
        checked = arena_run("check", "bot", "gpt.toml", folder=tmp_path)
        assert (checked.code, len(checked.err.splitlines())) == (2, 1)
        assert said in checked.err


def test_a_template_that_fails_late_names_bot_match_file_and_line(fake, tmp_path):
    (tmp_path / "late.jinja").write_text(
        '{% extends "default" %}{% block position %}\n'
        '{{ super() }}{% if "= 17, 5 of 9" in position | string %}{{ oops }}{% endif %}'
        "{% endblock %}"
    )
    write_endpoint(tmp_path, fake.url, prompt="late.jinja")
    words = ("--bot", "gpt.toml", "--bot", "random", "--games", "60", "--seed", "1")
    failed = arena_run("tournament", "run", *words, "--isolation", "trusted", folder=tmp_path)
    assert failed.code == 2
    said = r"gpt, match 1\.1\.\d+, late\.jinja: prompt: line 2: 'oops' is undefined$"
    assert re.search(said, failed.err, re.M)


def test_each_commented_key_of_a_new_file_may_be_set(tmp_path):
    text = re.sub(r"^# (?=\[extra\]|[a-z_]+ = )", "", file_text(), flags=re.M)
    path = tmp_path / "gpt.toml"
    path.write_text(text)
    (tmp_path / "prompt.jinja").write_text("Play {{ game }}.")
    endpoint = read_endpoint_file(str(path)).endpoint
    assert endpoint.extra == {"top_p": 0.9}
    assert endpoint.price_cached == 0.025
    assert endpoint.template == "Play {{ game }}."


def test_the_page_has_the_row_of_every_key():
    table = re.findall(r"^\| `.*", PAGE.read_text("utf-8"), re.M)
    expected = []
    for key, row in FILE_ROWS.items():
        plain = row.default_text or str(row.default).lower()
        default = row.option.default or f"`{plain}`"
        if row.default is msgspec.NODEFAULT:
            default = "required"
        expected.append(f"| `{key}` | {default} | {row.option.help} |")
    assert table == expected


@pytest.mark.parametrize("text", re.findall(r"```toml\n(.*?)```", PAGE.read_text("utf-8"), re.S))
def test_files_of_the_page_are_endpoint_files(text, tmp_path):
    path = tmp_path / "gpt.toml"
    path.write_text(text)
    assert read_endpoint_file(str(path)).endpoint
