"""Maps single pages a gigabyte apart and reads them, some at each decision.

Each costs the machine two pages of page tables, while the zero page that it reads is no memory of
its own. It must lose by memory in the end.
"""

import ctypes
import itertools
import mmap

from arena import Bot

PAGE, APART, TABLE = 4096, 1 << 30, 1 << 21
FIRST, LAST = 1 << 40, 1 << 46
AT_ONCE, ENOUGH = 1_000, 35_000
FIXED = 0x10
MAP = ctypes.CDLL(None).mmap
MAP.restype = ctypes.c_void_p
PLACES = (
    base + offset for offset in itertools.count(0, TABLE) for base in range(FIRST, LAST, APART)
)


class ScatteredPages(Bot):
    count = 0

    def act(self, observation):
        flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | FIXED
        for place in itertools.islice(PLACES, AT_ONCE):
            where, size = ctypes.c_void_p(place), ctypes.c_size_t(PAGE)
            if MAP(where, size, mmap.PROT_READ, flags, -1, 0) != place:
                break
            ctypes.string_at(place, 1)
            ScatteredPages.count += 1
        if ScatteredPages.count >= ENOUGH:
            raise RuntimeError(f"GOT: page tables for {ENOUGH} pages")
        return observation.legal_actions[0]
