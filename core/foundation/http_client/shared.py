"""Sessions of the guarded client that live as long as the process, one per policy."""

import aiohttp

from core.foundation.http_client.client import open_client
from core.foundation.http_client.policy import OutboundPolicy

# By policy, so that no caller ever gets a session that is laxer than what it asked for.
_sessions: dict[OutboundPolicy, aiohttp.ClientSession] = {}


def client_for(policy: OutboundPolicy) -> aiohttp.ClientSession:
    """The process's session under this policy, opened at its first use; call it inside the loop."""
    session = _sessions.get(policy)
    if session is None or session.closed:
        session = _sessions[policy] = open_client(policy)
    return session


async def close_clients() -> None:
    """Close what `client_for` opened; whoever ends the process calls it once no request is under
    way.
    """
    while _sessions:
        _, session = _sessions.popitem()
        await session.close()
