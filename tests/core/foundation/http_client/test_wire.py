"""Any bytes in any pieces: what we see in them is what a client sees that is not ours."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.foundation import clock
from core.foundation.http_client import BrokenExchange, PostResult, post
from core.foundation.http_client.response import MAX_HEAD_BYTES, MAX_RESPONSE_HEADS
from core.foundation.http_client.retry_after import seconds_to_wait
from tests.core.foundation.http_client.plain_client import PlainAnswer, told_by_h11
from tests.core.foundation.http_client.wire import BODY, URL, Network, Script, on_the_wire, turns

KEEP = 4096
TIMEOUT = 2.0

exact = settings(
    derandomize=True,
    database=None,
    deadline=None,
    max_examples=200,
    suppress_health_check=[HealthCheck.too_slow],
)


@dataclass(frozen=True)
class Seen:
    """What two posts, one after the other, have come to, and how many connections they took."""

    replies: Sequence[tuple[int | None, str, str | None, float | None]]
    connections: int


async def ours(network: Network) -> PostResult:
    return await post(network.client, URL, body=BODY, headers={}, timeout=TIMEOUT)


async def twice_ours(network: Network) -> Seen:
    replies = []
    for _ in range(2):
        reply = await ours(network)
        replies.append((reply.status, reply.body, reply.error, reply.retry_after))
        await settled(network)
    return Seen(replies, len(network.wires))


async def settled(network: Network) -> None:
    await turns(30)
    for wire in network.wires:
        wire.says_more()
    await turns(3)
    network.nothing_is_left_behind()


def response(status: str, headers: list[bytes], body: bytes, framing: str) -> bytes:
    match framing:
        case "length":
            headers = [*headers, b"Content-Length: %d" % len(body)]
        case "chunked" | "trailers":
            half = len(body) // 2
            chunks = b"".join(
                b"%x;ext=1\r\n%s\r\n" % (len(one), one) for one in (body[:half], body[half:]) if one
            )
            headers = [*headers, b"Transfer-Encoding: chunked"]
            body = chunks + b"0\r\n" + (b"X-T: 1\r\n" if framing == "trailers" else b"") + b"\r\n"
    return b"\r\n".join([status.encode(), *headers, b"", body])


STATUS_LINES = st.one_of(
    st.builds(
        "HTTP/{} {} {}".format,
        st.sampled_from(["1.1", "1.1", "1.1", "1.0", "1.2", "0.9", "2.0", "11"]),
        st.sampled_from(
            [
                "200",
                "202",
                "204",
                "205",
                "304",
                "301",
                "500",
                "503",
                "99",
                "099",
                "1000",
                "999",
                "101",
                "20x",
            ]
        ),
        st.sampled_from(["OK", "", "No such\tthing", "Ol\u00e1"]),
    ),
    st.sampled_from(
        ["HTTP/1.1 200 OK"] * 3
        + ["HTTP/1.1 200", "http/1.1 200 OK", "ICY 200 OK", " HTTP/1.1 200 OK"]
    ),
)
HEADERS = st.lists(
    st.sampled_from(
        [
            b"Connection: close", b"Connection: keep-alive", b"Connection: Upgrade", b"Upgrade: websocket",
            b"Retry-After: 7", b"Retry-After: 8", b"Content-Encoding: gzip", b"Content-Length: 3", b"Content-Length: 0",
            b"Content-Length: +3", b"Content-Length: 99999999999999999999", b"Transfer-Encoding: chunked",
            b"Transfer-Encoding: gzip, chunked", b"Transfer-Encoding: identity", b"Keep-Alive: timeout=1",
            b"Set-Cookie: a=b", b"Location: /b", b"X: \xff\xfe", b"X: a\x00b", b"X : y", b"No-Colon", b" folded: y",
            b"X: " + b"y" * 8_190, b"X: " + b"y" * 8_180, b"\r\n".join([b"X: y"] * 120), b"\r\n".join([b"X: y"] * 140),
        ]
    ),
    max_size=3,
)  # fmt: skip
BODIES = st.sampled_from(
    [b"", b"ok", b"{}\n", b"x" * 4_095, b"x" * 4_096, b"x" * 4_097, b"x" * 20_000]
)
RESPONSES = st.builds(
    response,
    STATUS_LINES,
    HEADERS,
    BODIES,
    st.sampled_from(["length"] * 3 + ["chunked", "trailers", "end"]),
)
INTERIM = st.sampled_from(
    [b""] * 6
    + [b"HTTP/1.1 100 Continue\r\n\r\n", b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" * 3]
)
LEFT_OVER = st.sampled_from(
    [b""] * 6
    + [
        b"\r\n",
        b"x",
        b"HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nsmuggled",
        b"HTTP/1.1 200 OK\r\nX: ",
    ]
)


@st.composite
def scripts(draw: st.DrawFn) -> Script:
    stream = draw(INTERIM) + draw(RESPONSES) + draw(LEFT_OVER)
    if draw(st.integers(0, 4)) == 0:
        stream = stream[: draw(st.integers(0, len(stream)))]
    cuts = sorted(draw(st.lists(st.integers(0, len(stream)), max_size=5)))
    pieces = [
        stream[start:stop]
        for start, stop in zip([0, *cuts], [*cuts, len(stream)], strict=True)
        if stop > start
    ]
    return Script(
        pieces, draw(st.sampled_from(["open", "open", "closed", "reset"])), draw(LEFT_OVER)
    )


def is_refused_by_us(stream: bytes) -> bool:
    """What h11 lets pass and we do not: a version that there is not, two lengths of one body, and
    heads that are too large.
    """
    lines = stream.lower()
    lengths = lines.count(b"content-length") + lines.count(b"transfer-encoding")
    return b"http/1.2" in lines or lengths > 1 or lines.count(b"\nx: y") > 120


def is_refused_by_h11(stream: bytes) -> bool:
    """What we let pass and h11 does not: a first header that is folded, and a coding named twice."""
    return b" folded: y" in stream or stream.lower().count(b"transfer-encoding") > 1


@given(scripts())
@exact
def test_we_see_in_any_bytes_what_a_plain_client_sees(script: Script) -> None:
    seen, told = on_the_wire(script, twice_ours), told_by_h11(script)
    stream = b"".join(script.pieces)
    assert seen.replies[0] == seen.replies[1], "the second answer is read as the first one was"
    if told is not None:
        status, body, _, retry_after = seen.replies[0]
        if status is None:
            assert is_refused_by_us(stream)
        else:
            assert (status, body, retry_after) == as_a_reply(told)
    if seen.connections == 1:
        may_go_on = told.reusable if told is not None else is_refused_by_h11(stream)
        assert may_go_on or stream.endswith((b"\r\n\r\n", b"x\r\n"))
        assert not script.later, "and nothing came unasked"
    elif told is not None and told.reusable and not script.later and len(told.body) <= KEEP:
        assert is_refused_by_us(stream), "a connection is kept where nothing speaks against it"


def as_a_reply(told: PlainAnswer) -> tuple[int, str, float | None]:
    body = told.body[:KEEP].decode("utf-8", "replace").replace("\0", "\ufffd")
    return told.status, body, seconds_to_wait(told.retry_after, clock.now())


@given(scripts())
@exact
def test_where_the_bytes_are_cut_makes_no_difference(script: Script) -> None:
    seen = on_the_wire(script, twice_ours)
    whole = Script([b"".join(script.pieces)], script.end, script.later)
    assert seen.replies == on_the_wire(whole, twice_ours).replies
    if len(whole.pieces[0]) < 200:
        bytewise = Script([bytes([byte]) for byte in whole.pieces[0]], script.end, script.later)
        assert seen.replies == on_the_wire(bytewise, twice_ours).replies


OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"
UNASKED = b"HTTP/1.1 202 Accepted\r\nContent-Length: 8\r\n\r\nsmuggled"


@pytest.mark.parametrize(
    "later", [UNASKED, UNASKED * 3, b"HTTP/1.1 408 Request Timeout\r\n\r\n", b"noise"]
)
def test_what_a_peer_says_unasked_is_not_the_answer_to_the_next_post(later: bytes) -> None:
    async def twice(network: Network) -> list[tuple[int | None, str]]:
        replies = []
        for _ in range(2):
            replies.append(await ours(network))
            await settled(network)
        assert len(network.wires) == 2
        return [(reply.status, reply.body) for reply in replies]

    assert on_the_wire(Script([OK], later=later), twice) == [(200, "ok")] * 2


def test_a_switch_without_its_headers_costs_the_connection_too() -> None:
    seen = on_the_wire(Script([b"HTTP/1.1 101 Switching Protocols\r\n\r\n"]), twice_ours)
    assert seen == Seen([(101, "", None, None)] * 2, 2)


def test_some_interim_answers_are_awaited() -> None:
    assert on_the_wire(Script([CONTINUE] * 50 + [CONTINUE * 50 + OK]), ours).body == "ok"


@pytest.mark.parametrize(
    "pieces", [[CONTINUE] * (MAX_RESPONSE_HEADS + 1), [CONTINUE * (MAX_RESPONSE_HEADS + 1)]]
)
def test_interim_answers_without_end_are_no_answer(pieces: list[bytes]) -> None:
    async def post_once(network: Network) -> tuple[str | None, float]:
        reply = await ours(network)
        await settled(network)
        return reply.error, asyncio.get_running_loop().time()

    assert on_the_wire(Script(pieces), post_once) == ("unreachable", 0), (
        "and nobody waits until time is up"
    )


CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"


@pytest.mark.parametrize(
    "pieces", [[CHUNKED + b"nonsense\r\n"], [CHUNKED, b"2\r\nok\r\n", b"nonsense\r\n"]]
)
def test_nobody_waits_for_the_rest_of_a_body_that_cannot_be_read(pieces: list[bytes]) -> None:
    async def post_once(network: Network) -> tuple[int | None, float]:
        reply = await ours(network)
        await settled(network)
        return reply.status, asyncio.get_running_loop().time()

    assert on_the_wire(Script(pieces), post_once) == (200, 0)


HEAD = b"HTTP/1.1 200 OK\r\n"
SOME = b"y" * 1_000


@pytest.mark.parametrize(
    ("begun", "status"),
    [
        (b"", None),
        (HEAD + b"X: ", None),
        (HEAD, None),
        (b"HTTP/1.1 200 ", None),
        (CHUNKED + b"2;", 200),
        (CHUNKED + b"2\r\nok\r\n0\r\nX: ", 200),
    ],
)
def test_what_never_becomes_an_answer_or_a_body_is_given_up(
    begun: bytes, status: int | None
) -> None:
    async def post_once(network: Network) -> tuple[int | None, float]:
        reply = await ours(network)
        assert network.wires[0].fed < MAX_HEAD_BYTES + 3 * len(SOME)
        await settled(network)
        return reply.status, asyncio.get_running_loop().time()

    script = Script([begun] * bool(begun) + [SOME] * 1_000)
    assert on_the_wire(script, post_once) == (status, 0), "and nobody waits until time is up"


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        (b"X: %b\r\n" % (b"y" * 8_190), 200),
        (b"X: %b\r\n" % (b"y" * 8_191), None),
        (b"%b: y\r\n" % (b"x" * 8_191), None),
        (b"X: y\r\n" * 127, 200),
        (b"X: y\r\n" * 128, None),
        (b"X: %b\r\n" % (b"y" * 8_000) * 8, 200),
        (b"X: %b\r\n" % (b"y" * 8_000) * 9, None),
        (b"X: a\0b\r\n", None),
    ],
)
def test_a_head_has_a_bound(fields: bytes, status: int | None) -> None:
    async def post_once(network: Network) -> int | None:
        return (await ours(network)).status

    whole = HEAD + fields + b"Content-Length: 2\r\n\r\nok"
    assert on_the_wire(Script([whole]), post_once) == status


def test_a_flood_of_answers_into_the_pool_ends_with_the_connection() -> None:
    async def post_once(network: Network) -> None:
        assert (await ours(network)).ok
        assert network.pool.idle == 1
        await settled(network)
        assert network.wires[0].closing

    on_the_wire(Script([OK], later=UNASKED * (MAX_RESPONSE_HEADS + 1)), post_once)


def test_an_endless_body_is_not_read_ahead() -> None:
    async def post_once(network: Network) -> int:
        reply = await ours(network)
        assert (reply.status, len(reply.body)) == (200, KEEP)
        await settled(network)
        return network.wires[0].fed

    head = b"HTTP/1.1 200 OK\r\n\r\n"
    for pieces in ([head] + [b"x" * 500] * 1_000, [head + b"x" * 500] + [b"x" * 500] * 1_000):
        assert on_the_wire(Script(pieces), post_once) < 5 * KEEP


@pytest.mark.parametrize(
    "script", [Script([OK]), Script([OK[:10], OK[10:-1]]), Script([CONTINUE, OK[:-1]], "closed")]
)
@pytest.mark.parametrize("limit", [1, 10])
def test_whenever_a_post_is_cancelled_no_connection_is_left_behind(
    script: Script, limit: int
) -> None:
    async def cancelled_after(count: int, network: Network) -> bool:
        tasks = [asyncio.create_task(ours(network)) for _ in range(3)]
        await turns(count)
        for task in tasks:
            task.cancel()
        ends = await asyncio.gather(*tasks, return_exceptions=True)
        assert all(isinstance(end, asyncio.CancelledError | PostResult) for end in ends)
        await settled(network)
        return all(isinstance(end, PostResult) for end in ends)

    for count in range(60):
        on_the_wire(script, partial(cancelled_after, count), limit=limit, connecting=3)


@pytest.mark.parametrize(
    "script", [Script([OK]), Script([OK[:10], OK[10:-1]]), Script([CONTINUE, OK[:-1]], "closed")]
)
@pytest.mark.parametrize("limit", [1, 10])
def test_whenever_the_client_is_closed_nothing_is_left_behind_and_the_peer_is_not_blamed(
    script: Script, limit: int
) -> None:
    async def closed_after(count: int, network: Network) -> None:
        tasks = [asyncio.create_task(ours(network)) for _ in range(3)]
        await turns(count)
        await network.client.close()
        ends = await asyncio.gather(*tasks, return_exceptions=True)
        for end in ends:
            assert isinstance(end, BrokenExchange) or (isinstance(end, PostResult) and end.ok)
        await turns(3)
        assert all(wire.closing for wire in network.wires)
        assert not network.complaints

    for count in range(60):
        on_the_wire(script, partial(closed_after, count), limit=limit, connecting=3)
