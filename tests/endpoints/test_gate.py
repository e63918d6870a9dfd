import pytest
import trio

from arena.core.errors import EndpointFailed
from arena.host.endpoints.gate import IN_A_ROW, MAX_WAIT_SECONDS, Gate


class Endpoint:
    """Fails as often as it is told, and keeps when it was asked."""

    def __init__(self, failures=0, wait=None, seconds=0.0, *, retry=True, busy=False, room=1000):
        self.failures, self.seconds, self.room = failures, seconds, room
        self.failure = EndpointFailed("HTTP 529", retry, wait, busy=busy)
        self.asked, self.now, self.most = [], 0, 0

    async def call(self):
        self.asked.append(trio.current_time())
        self.now += 1
        self.most = max(self.most, self.now)
        crowded = self.now > self.room
        try:
            await trio.sleep(self.seconds)
        finally:
            self.now -= 1
        if self.failures or crowded:
            self.failures -= not crowded
            raise EndpointFailed(*self.failure.__reduce__()[1])
        return "an answer"


async def asked_on(gate, endpoint, wait=0.0):
    while True:
        try:
            return await gate.through(endpoint.call)
        except EndpointFailed as failed:
            if not failed.retry:
                raise
        await gate.wait(wait)


async def test_one_failure_holds_nobody_back(autojump_clock):
    gate, endpoint = Gate(4), Endpoint(failures=IN_A_ROW - 1)
    began = trio.current_time()
    async with trio.open_nursery() as nursery:
        for _ in range(20):
            nursery.start_soon(asked_on, gate, endpoint)
    assert trio.current_time() == began
    assert (gate.width, endpoint.most) == (4, 4)


async def test_after_several_in_a_row_waits_double_and_an_answer_opens_the_gate(autojump_clock):
    lines = []
    gate, endpoint = Gate(1, notice=lines.append), Endpoint(failures=IN_A_ROW + 2)
    began = trio.current_time()
    assert await asked_on(gate, endpoint) == "an answer"
    probes = [at - began for at in endpoint.asked[IN_A_ROW:]]
    assert probes == pytest.approx([1, 3, 7])
    assert lines == ["HTTP 529; questions wait until it answers"] * 3
    endpoint.failures = 1
    await asked_on(gate, endpoint)
    assert endpoint.asked[-1] == endpoint.asked[-2]


@pytest.mark.parametrize(("asked", "waited"), [(20.0, 20), (0.0, 0), (9999.0, MAX_WAIT_SECONDS)])
async def test_all_wait_as_long_as_a_crowded_endpoint_asks(autojump_clock, asked, waited):
    gate, endpoint = Gate(8), Endpoint(failures=1, wait=asked, busy=True)
    began = trio.current_time()
    async with trio.open_nursery() as nursery:
        await nursery.start(first_asked, gate, endpoint)
        nursery.start_soon(asked_on, gate, endpoint)
    assert [at - began for at in endpoint.asked] == pytest.approx([0, waited, waited])


async def first_asked(gate, endpoint, task_status):
    with pytest.raises(EndpointFailed):
        await gate.through(endpoint.call)
    task_status.started()
    await asked_on(gate, endpoint)


async def test_it_finds_how_many_a_crowded_endpoint_bears(autojump_clock):
    gate, endpoint = Gate(64), Endpoint(seconds=1.0, busy=True, room=10)
    began = trio.current_time()
    async with trio.open_nursery() as nursery:
        for _ in range(640):
            nursery.start_soon(asked_on, gate, endpoint, 1.0)
    assert 5 <= gate.width <= 12
    # 64 seconds at the most that it bears; and one of nine calls at most is refused.
    assert trio.current_time() - began < 1.4 * 64
    assert len(endpoint.asked) - 64 - 640 < 640 / 9


async def test_one_probe_at_a_time_goes_to_a_failing_endpoint(autojump_clock):
    gate, endpoint = Gate(64), Endpoint(failures=64 + 2, seconds=0.5)
    async with trio.open_nursery() as nursery:
        for _ in range(64):
            nursery.start_soon(asked_on, gate, endpoint, 0.1)
    # 64 were under way as it began to fail; then two probes failed, and the third opened the gate.
    began = endpoint.asked[0]
    probes = [at - began for at in endpoint.asked[64:67]]
    assert probes == pytest.approx([1.5, 4.0, 8.5])
    assert len(endpoint.asked) == 64 + 2 + 64


async def test_many_failures_one_after_the_other_end_it_for_all(autojump_clock):
    gate, endpoint = Gate(5, max_probes=4), Endpoint(failures=1000)
    ended = []

    async def one():
        with pytest.raises(EndpointFailed, match="4 failures one after the other") as failed:
            await asked_on(gate, endpoint, 0.1)
        ended.append(failed.value.retry)

    async with trio.open_nursery() as nursery:
        for _ in range(5):
            nursery.start_soon(one)
    assert ended == [False] * 5
    assert len(endpoint.asked) == 5 + 3


async def test_a_failure_that_no_wait_mends_closes_nothing(autojump_clock):
    gate, endpoint = Gate(1), Endpoint(failures=2 * IN_A_ROW, retry=False)
    began = trio.current_time()
    for _ in range(2 * IN_A_ROW):
        with pytest.raises(EndpointFailed):
            await gate.through(endpoint.call)
    await gate.through(endpoint.call)
    assert trio.current_time() == began


async def closed_gate(endpoint):
    gate = Gate(1)
    for _ in range(IN_A_ROW):
        with pytest.raises(EndpointFailed):
            await gate.through(endpoint.call)
    return gate


async def test_a_probe_that_is_cancelled_leaves_its_place_to_the_next(autojump_clock):
    endpoint = Endpoint(failures=IN_A_ROW, seconds=0.5)
    gate = await closed_gate(endpoint)
    with trio.move_on_after(1.2) as cut:
        await gate.through(endpoint.call)
    assert cut.cancelled_caught
    assert await gate.through(endpoint.call) == "an answer"


@pytest.mark.parametrize("passed", [0.5, 1.5])
async def test_a_pause_waits_for_no_failing_endpoint(autojump_clock, passed):
    """Neither for the gate to open, nor for its probe to be answered."""
    endpoint = Endpoint(failures=IN_A_ROW)
    gate = await closed_gate(endpoint)
    endpoint.seconds = 3600

    async def waits():
        with pytest.raises(EndpointFailed, match="HTTP 529") as failed:
            await gate.through(endpoint.call)
        assert not failed.value.retry

    async with trio.open_nursery() as nursery:
        nursery.start_soon(waits)
        nursery.start_soon(gate.wait, 3600)
        await trio.sleep(passed)
        left = trio.current_time()
        gate.leave()
    assert trio.current_time() == left
