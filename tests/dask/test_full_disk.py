"""A worker whose disk is full is named, and the others play."""

from __future__ import annotations

import subprocess

import pytest


def test_a_worker_with_a_full_disk_is_named_and_others_play(cluster, runs, local_chain, tmp_path):
    cache = tmp_path / "full"
    cache.mkdir()
    mount = f'mount -t tmpfs -o size=4k none {cache} && cp /bin/sh {cache}; exec "$@"'
    before = ("unshare", "--user", "--map-root-user", "--mount", "sh", "-c", mount, "sh")
    tried = subprocess.run([*before, "test", "-f", cache / "sh"], capture_output=True, check=False)
    if tried.returncode:
        pytest.skip(f"a full disk needs namespaces: {tried.stderr.decode().strip()}")
    cluster.start_worker(before, XDG_CACHE_HOME=str(cache))
    process = runs.begin(cluster.executor)
    assert process.wait() == 0, runs.err()
    [line] = [line for line in runs.err().splitlines() if line.startswith("worker tls://")]
    assert line.endswith("No space left on device")
    assert runs.chain() == local_chain
