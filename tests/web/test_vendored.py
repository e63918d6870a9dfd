"""Files of others that the site loads are those that were published, with their licence."""

from __future__ import annotations

from hashlib import sha256
from importlib.resources import files

OWN = {"table.js"}
HASHES = {  # of htmx.org 4.0.1: dist/htmx.min.js, dist/ext/hx-sse.min.js, LICENSE
    "htmx.min.js": "a0abb04f2f45a1f89d1d4844023245537e5e6014c87b144553e0607b4cc32130",
    "hx-sse.min.js": "18ef2761356ec1fe0bb6d92612315b37517a7c1e9856b661c5ae81fef239d103",
    "htmx-LICENSE.txt": "d3d2456f76414f2456104660ebd65aff1c04cd7966b942bdabd63f3cdb316a38",
}


def test_they_are_unchanged():
    folder = files("arena.web") / "static"
    found = {
        each.name: sha256(each.read_bytes()).hexdigest()
        for each in folder.iterdir()
        if each.name.endswith((".js", ".txt")) and each.name not in OWN
    }
    assert found == HASHES


def test_they_evaluate_no_text():
    for name in {*HASHES, *OWN}:
        text = (files("arena.web") / "static" / name).read_text()
        assert "eval(" not in text
        assert "new Function" not in text
