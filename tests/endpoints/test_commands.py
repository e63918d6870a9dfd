import json
import os
import re
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest

import arena
from arena.plugins.endpointfile import FILE_ROWS, file_text, read_endpoint_file
from tests.cli.in_process import run_in_process

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
    with pytest.raises(arena.BadInput, match=r"^sabacc: prompt: 'pot' is undefined"):
        arena.check_bot(wrong)


def test_a_file_is_no_submission(tmp_path):
    path = tmp_path / "gpt.toml"
    path.write_text(file_text())
    refused = arena_run("submit", str(path), "--db", "a.db", folder=tmp_path)
    assert refused.code == 2
    assert "an endpoint of a language model is never submitted" in refused.err


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
