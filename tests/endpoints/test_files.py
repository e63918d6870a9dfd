import msgspec
import pytest

import arena
from arena.core.errors import BadInput, BadPlugin, BadSpec
from arena.core.text.parsing import join_loadout
from arena.plugins.endpointfile import FILE_ROWS, EndpointBot, read_endpoint_file
from arena.plugins.endpoints.spec import Endpoint
from arena.plugins.registry import Registry
from arena.plugins.submissions.submission import read_package
from arena.service.lookup.python_bots import named_bots
from arena.service.lookup.resolver import BotResolver

PLAIN = 'kind = "endpoint"\nurl = "http://127.0.0.1:8080/v1/chat/completions"\nmodel = "m"\n'


def written(folder, more="", name="gpt.toml", start=PLAIN):
    path = folder / name
    path.write_text(start + more, "utf-8")
    return str(path)


def test_a_file_is_a_bot_named_after_it(tmp_path):
    source = read_endpoint_file(written(tmp_path, 'author = "Ada"\nversion = "2"\nparallel = 3\n'))
    assert (source.kind, source.answered_by, source.trusted) == ("endpoint", "endpoint", False)
    assert (source.participant.name, source.participant.version) == ("gpt", "2")
    assert (source.author, source.endpoint.parallel, source.endpoint.tries) == ("Ada", 3, 3)
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(source), type=type(source)) == source


def test_prices_are_no_part_of_its_content(tmp_path):
    plain, priced = (
        read_endpoint_file(written(tmp_path, more))
        for more in ("", "price_in = 1.0\nprice_out = 2.0\n")
    )
    assert (plain.participant, priced.endpoint.price_in) == (priced.participant, 1.0)


def test_every_parameter_and_the_text_of_the_prompt_are_its_content(tmp_path):
    (tmp_path / "own.jinja").write_text("You play {{ game }}.", "utf-8")
    more = ("", "temperature = 0.0\n", 'model = "n"\n', 'prompt = "own.jinja"\n', "parallel = 9\n")
    texts = [
        PLAIN.replace('model = "m"\n', "") + line if "model" in line else PLAIN + line
        for line in more
    ]
    found = [read_endpoint_file(written(tmp_path, text, start="")) for text in texts]
    assert len({source.participant.content for source in found}) == len(more)
    assert found[3].endpoint.template == "You play {{ game }}."
    (tmp_path / "own.jinja").write_text("You play {{ game }}!", "utf-8")
    again = read_endpoint_file(written(tmp_path, texts[3], start=""))
    assert again.participant.content != found[3].participant.content
    same = read_endpoint_file(written(tmp_path, "tries = 3 # the default\n"))
    assert same.participant.content == found[0].participant.content


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ("modle = 'x'\n", "modle: no such key; the keys are .*did you mean model?"),
        ("template = 'x'\n", "template: no such key"),
        ("price_in = 'cheap'\n", "price_in: expected a number, not 'cheap'"),
        ("price_in = -1\n", "price_in: expected"),
        ("price_in = 1.0\n", "price_in: needs price_out, too, without which no cost is known"),
        ("price_cached = 1.0\n", "price_cached: needs price_in and price_out, too"),
        ("prompt = '../x.jinja'\n", r"prompt: \.\./x\.jinja is outside of the folder of the file"),
        ("prompt = '/etc/passwd'\n", "prompt: /etc/passwd is outside of the folder"),
        ("price_out = nan\n", "price_out: expected a number >= 0.0, not nan"),
        ("price_out = inf\n", "price_out: expected a number, not inf"),
        ("timeout_seconds = inf\n", "timeout_seconds: expected"),
        ("parallel = 0\n", "parallel: expected a whole number >= 1, not 0"),
        ("tries = true\n", "tries: expected a whole number, not True"),
        ("fallback = 'first'\n", "fallback: expected lose or first legal, not 'first'"),
        ("answer = 'json'\n", "answer: expected line or schema or tool, not 'json'"),
        ("key_env = 'sk-SECRET'\n", "key_env: expected the name of an environment variable"),
        ("key = 'SECRET'\n", "key: write the name of an environment variable as key_env"),
        ("api_key = 'SECRET'\n", "api_key: write the name of an environment variable"),
        ("prompt = 'none.jinja'\n", "prompt: .*none.jinja cannot be read: No such file"),
        ("prompt = 7\n", "prompt: expected text, not 7"),
        ("proxy = 'socks'\n", "proxy: expected an address that begins with http"),
        ("[extra]\nmessages = []\n", "extra: messages is Arena's own field"),
        ("[extra]\nstream = true\n", "extra: stream is Arena's own field"),
        ("[extra]\nuntil = 2026-01-01\n", "extra: expected values that JSON has"),
        ("[extra]\nx = nan\n", "extra: expected values that JSON has"),
        ("extra = 1\n", "extra: expected a table"),
        ("version = 'a b'\n", "expected a version such as 1.0"),
    ],
)
def test_each_mistake_is_one_line_with_the_file_and_the_key(tmp_path, more, said):
    path = written(tmp_path, more)
    with pytest.raises(BadInput, match=said) as failed:
        read_endpoint_file(path)
    line = str(failed.value)
    assert "\n" not in line
    assert "SECRET" not in line


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("gpt.example.org/v1", "url: expected an address that begins with http"),
        ("ftp://x/v1", "url: expected an address"),
        ("http:///v1", "url: expected an address"),
        ("http://x:99999/v1", "url: expected an address"),
        ("https://me:SECRET@x/v1", "url: has a user or a password before @"),
        ("https://x/v1?api-key=SECRET", r"url: has a key after \?"),
        ("https://x/v1?key=SECRET", r"url: has a key after \?"),
        ("", "url: is missing"),
    ],
)
def test_an_address_has_no_key(tmp_path, url, said):
    path = written(tmp_path, start=PLAIN.replace("http://127.0.0.1:8080/v1/chat/completions", url))
    with pytest.raises(BadSpec, match=said) as failed:
        read_endpoint_file(path)
    assert "SECRET" not in str(failed.value)
    query = "https://x.example.org/openai/chat/completions?api-version=2026-01-01"
    assert Endpoint(url=query, model="m")
    assert EndpointBot(name="azure", url=query, model="m").url == query


def test_what_is_no_endpoint_file_is_said(tmp_path):
    for text, said in (
        ("", 'kind: expected kind = "endpoint"'),
        ("kind = 'bot'", "kind: expected kind"),
        ('kind = "endpoint"\n', "url: is missing; model: is missing"),
        ("kind =", "expected TOML"),
    ):
        with pytest.raises(BadSpec, match=said):
            read_endpoint_file(written(tmp_path, text, start=""))
    with pytest.raises(BadPlugin, match=r"cannot be read: No such file.*arena new bot NAME --end"):
        read_endpoint_file(str(tmp_path / "other.toml"))
    with pytest.raises(BadInput, match="expected a name for a bot; rename the file"):
        read_endpoint_file(written(tmp_path, name="my gpt.toml"))


def test_names_find_it_with_a_loadout_too(tmp_path):
    path = written(tmp_path)
    with BotResolver(Registry()) as resolver:
        plain = resolver.find(path)
        loaded = resolver.find(join_loadout(path, "+1 +2 +3"))
    assert plain.participant.content == loaded.participant.content
    assert (plain.loadout, loaded.loadout) == ("", "+1 +2 +3")
    assert loaded.participant.name == "gpt with +1 +2 +3"


def test_a_program_makes_one(tmp_path):
    bot = arena.EndpointBot(name="gpt", url="http://127.0.0.1:8080/v1/chat/completions", model="m")
    names, local = named_bots([bot, "random"])
    with BotResolver(Registry(), local=local) as resolver:
        source = resolver.find(names[0])
    assert source.participant == read_endpoint_file(written(tmp_path)).participant
    assert source.endpoint == Endpoint(url=bot.url, model="m")
    with pytest.raises(BadSpec, match="endpoint gpt: parallel: expected a whole number >= 1"):
        arena.EndpointBot(name="gpt", url=bot.url, model="m", parallel=0)
    with pytest.raises(TypeError, match=r"did you mean temperature?"):
        arena.EndpointBot(name="gpt", url=bot.url, model="m", temprature=0)


def test_it_is_never_a_submission(tmp_path):
    with pytest.raises(BadPlugin, match="an endpoint of a language model is never submitted"):
        read_package(written(tmp_path))
    with pytest.raises(BadInput):
        read_package(str(tmp_path))


def test_every_parameter_is_a_key_but_the_text_of_the_template():
    assert set(Endpoint.__struct_fields__) - FILE_ROWS.keys() == {"template"}
