"""Clients of the process: one for each policy, opened when needed, closed at the end."""

from core.foundation.http_client import OutboundPolicy, client_for, close_clients, post
from tests.core.foundation.http_client.peers import LOCAL_HTTP, a_peer, answer

STRICT = OutboundPolicy()


async def test_a_policy_has_one_client_and_another_policy_another_one() -> None:
    try:
        assert client_for(LOCAL_HTTP) is client_for(LOCAL_HTTP)
        assert client_for(STRICT) is not client_for(LOCAL_HTTP)
    finally:
        await close_clients()


async def test_each_client_keeps_to_its_policy() -> None:
    async with a_peer(answer()) as peer:
        try:
            lax = await post(client_for(LOCAL_HTTP), peer.url(), body=b"", headers={})
            strict = await post(client_for(STRICT), peer.url(), body=b"", headers={})
        finally:
            await close_clients()

    assert (lax.status, strict.error) == (200, "insecure_scheme")


async def test_after_the_end_nothing_is_open_and_a_new_beginning_is_possible() -> None:
    first = client_for(STRICT)
    await close_clients()
    await close_clients()

    assert first.closed
    assert not client_for(STRICT).closed
    await close_clients()
