import pytest
import trio

from arena.core.errors import EndpointFailed
from arena.host.endpoints.gate import MAX_WAIT_SECONDS, Gate


class Endpoint:
    """Fails as often as it is told, and keeps when it was asked."""

    def __init__(self, failures, wait=None, seconds=0.0, retry=True):
        self.failures, self.wait, self.seconds, self.retry = failures, wait, seconds, retry
        self.asked = []

    async def call(self):
        self.asked.append(trio.current_time())
        await trio.sleep(self.seconds)
        if self.failures:
            self.failures -= 1
            raise EndpointFailed("HTTP 529", self.retry, self.wait)
        return "an answer"


async def asked_on(gate, endpoint):
    while True:
        try:
            return await gate.through(endpoint.call)
        except EndpointFailed as failed:
            if not failed.retry:
                raise


async def test_waits_double_and_an_answer_opens_the_gate(autojump_clock):
    gate, endpoint = Gate(), Endpoint(failures=3)
    began = trio.current_time()
    assert await asked_on(gate, endpoint) == "an answer"
    assert [at - began for at in endpoint.asked] == pytest.approx([0, 1, 3, 7])
    endpoint.failures = 1
    await asked_on(gate, endpoint)
    assert endpoint.asked[-1] - endpoint.asked[-2] == pytest.approx(1)


@pytest.mark.parametrize(("asked", "waited"), [(20.0, 20), (0.0, 1), (9999.0, MAX_WAIT_SECONDS)])
async def test_the_endpoints_wait_is_kept_within_bounds(autojump_clock, asked, waited):
    gate, endpoint = Gate(), Endpoint(failures=1, wait=asked)
    await asked_on(gate, endpoint)
    assert endpoint.asked[1] - endpoint.asked[0] == pytest.approx(waited)


async def test_one_probe_at_a_time_goes_to_a_failing_endpoint(autojump_clock):
    gate, endpoint = Gate(), Endpoint(failures=64 + 2, seconds=0.5)
    async with trio.open_nursery() as nursery:
        for _ in range(64):
            nursery.start_soon(asked_on, gate, endpoint)
    # 64 were under way as it began to fail; then two probes failed, and the third opened the gate.
    began = endpoint.asked[0]
    probes = [at - began for at in endpoint.asked[64:67]]
    assert probes == pytest.approx([1.5, 4.0, 8.5])
    assert len(endpoint.asked) == 64 + 2 + 64


async def test_many_failures_one_after_the_other_end_it_for_all(autojump_clock):
    gate, endpoint = Gate(max_probes=4), Endpoint(failures=1000)
    ended = []

    async def one():
        with pytest.raises(EndpointFailed, match="4 failures one after the other") as failed:
            await asked_on(gate, endpoint)
        ended.append(failed.value.retry)

    async with trio.open_nursery() as nursery:
        for _ in range(5):
            nursery.start_soon(one)
    assert ended == [False] * 5
    assert len(endpoint.asked) == 5 + 3


async def test_a_failure_that_no_wait_mends_closes_nothing(autojump_clock):
    gate = Gate()
    with pytest.raises(EndpointFailed):
        await gate.through(Endpoint(failures=1, retry=False).call)
    began = trio.current_time()
    await gate.through(Endpoint(failures=0).call)
    assert trio.current_time() == began


async def test_a_probe_that_is_cancelled_leaves_its_place_to_the_next(autojump_clock):
    gate, endpoint = Gate(), Endpoint(failures=1, seconds=0.5)
    with pytest.raises(EndpointFailed):
        await gate.through(endpoint.call)
    with trio.move_on_after(1.2) as cut:
        await gate.through(endpoint.call)
    assert cut.cancelled_caught
    assert await gate.through(endpoint.call) == "an answer"
