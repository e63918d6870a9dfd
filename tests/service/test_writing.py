from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from arena.service.answers.writing import replacing


def test_threads_that_write_one_file_at_once_do_not_meet(tmp_path):
    together = Barrier(4)

    def write(number):
        with replacing(tmp_path / "cup.toml") as file:
            together.wait(30)
            file.write(b"%d" % number * 1_000)
            file.flush()
            together.wait(30)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(write, range(4)))
    (path,) = tmp_path.iterdir()
    assert path.read_bytes() in {b"%d" % number * 1_000 for number in range(4)}
