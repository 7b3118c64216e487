"""Guarded clients that live as long as the process, one per policy."""

from core.foundation.http_client.client import GuardedClient, open_client
from core.foundation.http_client.policy import OutboundPolicy

# By policy, so that no caller ever gets one that is laxer than what it asked for.
_clients: dict[OutboundPolicy, GuardedClient] = {}


def client_for(policy: OutboundPolicy) -> GuardedClient:
    """The process's client under this policy, opened at its first use; call it inside the loop."""
    client = _clients.get(policy)
    if client is None or client.closed:
        client = _clients[policy] = open_client(policy)
    return client


async def close_clients() -> None:
    """Close what `client_for` opened; whoever ends the process calls it once no request is under
    way.
    """
    while _clients:
        _, client = _clients.popitem()
        await client.close()
