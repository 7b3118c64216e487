"""Where the client connects, whatever it is asked for and whatever a name server says."""

from collections.abc import Iterator

import pytest
from structlog.testing import capture_logs

from core.foundation.http_client import (
    GuardedClient,
    OutboundPolicy,
    OutboundRefused,
    open_client,
    post,
)
from core.foundation.http_client.connecting import Connector
from core.foundation.http_client.pool import IDLE_SECONDS
from core.foundation.http_client.request_head import HttpOrigin
from core.foundation.http_client.resolver import SystemResolver
from tests.core.foundation.http_client.peers import LOCAL_HTTP, Names, a_peer, answer

GLOBAL, LOOPBACK, PRIVATE = "93.184.215.14", "127.0.0.1", "10.0.0.7"
STRICT = OutboundPolicy()
OK = answer(b"ok")


async def error_of(client: GuardedClient, url: str) -> str | None:
    return (await post(client, url, body=b"{}", headers={}, timeout=2, connect_timeout=1)).error


@pytest.mark.parametrize(
    "addresses",
    [
        [LOOPBACK],
        ["::1"],
        ["::ffff:127.0.0.1"],
        [PRIVATE],
        ["169.254.169.254"],
        ["fe80::1%eth0"],
        [GLOBAL, LOOPBACK],
        [LOOPBACK, GLOBAL],
        [GLOBAL, "2606:4700::1", "64:ff9b::7f00:1"],
    ],
)
async def test_one_bad_address_refuses_the_name(addresses: list[str]) -> None:
    async with a_peer(OK) as peer, open_client(STRICT, resolver=Names(addresses)) as client:
        assert (
            await error_of(client, peer.url(host="hooks.example.com", scheme="https"))
            == "ssrf_blocked"
        )
    assert peer.connections == 0


async def test_a_name_without_an_address_is_unreachable() -> None:
    with capture_logs() as logs:
        async with open_client(STRICT, resolver=Names([])) as client:
            assert await error_of(client, "https://hooks.example.com/") == "unreachable"
    assert logs == []  # it is nothing odd


async def test_a_name_that_changes_its_mind_is_caught() -> None:
    names = Names([GLOBAL], [LOOPBACK])
    async with a_peer(OK) as peer, open_client(STRICT, resolver=names) as client:
        beforehand = await names.resolve("hooks.example.com")
        assert beforehand == [GLOBAL]
        assert (
            await error_of(client, peer.url(host="hooks.example.com", scheme="https"))
            == "ssrf_blocked"
        )
    assert peer.connections == 0
    assert len(names.asked) == 2


async def test_every_new_connection_is_judged_again() -> None:
    names = Names([LOOPBACK], [PRIVATE])
    closing = answer(b"ok", "200 OK", "Connection: close")
    async with a_peer(closing) as peer, open_client(LOCAL_HTTP, resolver=names) as client:
        assert await error_of(client, peer.url(host="receiver")) is None
        assert await error_of(client, peer.url(host="receiver")) == "ssrf_blocked"
    assert peer.connections == 1


async def test_the_answer_that_was_judged_is_the_one_connected_to() -> None:
    names = Names([LOOPBACK], AssertionError("a second look-up"))
    async with a_peer(OK) as peer, open_client(LOCAL_HTTP, resolver=names) as client:
        assert await error_of(client, peer.url(host="receiver")) is None
    assert names.asked == ["receiver"]
    assert b"Host: receiver:" in peer.requests[0]


@pytest.mark.parametrize(
    "host", [LOOPBACK, "::1", "::ffff:127.0.0.1", "localhost", PRIVATE, "169.254.169.254"]
)
@pytest.mark.parametrize("encrypted", [False, True])
async def test_no_connection_is_made_even_for_who_does_not_check_the_url(
    host: str, encrypted: bool
) -> None:
    async with a_peer(OK) as peer:
        with pytest.raises(OutboundRefused) as refused:
            await connected_to(host, peer.port, encrypted=encrypted)
    assert refused.value.reason == "ssrf_blocked"
    assert peer.connections == 0


@pytest.mark.parametrize("host", ["2130706433", "127.1", "0x7f.1", "0177.0.0.1"])
async def test_numbers_that_mean_an_address_lead_nowhere(host: str) -> None:
    async with a_peer(OK) as peer, open_client(STRICT) as client:
        assert await error_of(client, peer.url(host=host, scheme="https")) == "ssrf_blocked"
        with pytest.raises((OutboundRefused, OSError)):
            await connected_to(host, peer.port, encrypted=True)
    assert peer.connections == 0


async def connected_to(host: str, port: int, *, encrypted: bool) -> None:
    """Connect below whatever looks at the URL."""
    connector = Connector(STRICT, resolver=SystemResolver(), tls=None)
    try:
        await connector.connect(HttpOrigin(encrypted, host, port), 2)
    finally:
        await connector.close()


class Fickle(list[str]):
    """Public addresses for who looks first, these for who looks again."""

    def __init__(self, *addresses: str) -> None:
        super().__init__(addresses)
        self.looked = False

    def __iter__(self) -> Iterator[str]:
        if self.looked:
            return super().__iter__()
        self.looked = True
        return iter([GLOBAL] * len(self))


@pytest.mark.parametrize("addresses", [[LOOPBACK], [PRIVATE, LOOPBACK]])
async def test_an_address_is_judged_again_in_the_moment_its_socket_is_made(
    addresses: list[str],
) -> None:
    class Lying(Names):
        async def resolve(self, host: str) -> list[str]:
            self.asked.append(host)
            return Fickle(*addresses)

    async with a_peer(OK) as peer, open_client(STRICT, resolver=Lying([])) as client:
        url = peer.url(host="hooks.example.com", scheme="https")
        assert await error_of(client, url) == "ssrf_blocked"
    assert peer.connections == 0


@pytest.mark.parametrize(
    ("addresses", "expected"),
    [
        ([LOOPBACK], None),
        (["::1", LOOPBACK], None),
        ([GLOBAL], "insecure_scheme"),
        ([LOOPBACK, GLOBAL], "insecure_scheme"),
        ([PRIVATE], "ssrf_blocked"),
    ],
)
async def test_http_leads_only_into_allowed_networks(
    addresses: list[str], expected: str | None
) -> None:
    async with a_peer(OK) as peer, open_client(LOCAL_HTTP, resolver=Names(addresses)) as client:
        assert await error_of(client, peer.url(host="receiver.example.com")) == expected
    assert peer.connections == (1 if expected is None else 0)


async def test_closing_the_client_closes_its_resolver() -> None:
    async with open_client(STRICT, resolver=(names := Names([GLOBAL]))):
        assert not names.closed
    assert names.closed


async def test_a_redirect_is_an_answer_and_not_followed() -> None:
    async with a_peer(OK) as inside:
        moved = answer(b"", "302 Found", f"Location: {inside.url()}")
        async with a_peer(moved) as peer, open_client(LOCAL_HTTP) as client:
            reply = await post(client, peer.url(), body=b"{}", headers={})
    assert (reply.status, reply.ok, reply.error) == (302, False, None)
    assert inside.connections == 0


async def test_the_proxy_of_the_environment_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    async with a_peer(OK) as peer, a_peer(OK) as proxy, open_client(LOCAL_HTTP) as client:
        for name in ("http_proxy", "HTTP_PROXY", "https_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, proxy.url(""))
        assert await error_of(client, peer.url()) is None
    assert (peer.connections, proxy.connections) == (1, 0)


def test_an_idle_connection_is_given_up_before_common_servers_give_it_up() -> None:
    assert 0 < IDLE_SECONDS < 5


async def test_connections_are_kept_and_cookies_are_not() -> None:
    async with (
        a_peer(answer(b"ok", "200 OK", "Set-Cookie: a=b")) as peer,
        open_client(LOCAL_HTTP) as client,
    ):
        for _ in range(5):
            assert await error_of(client, peer.url()) is None
    assert peer.connections == 1
    assert not any(b"cookie" in request.lower() for request in peer.requests)
