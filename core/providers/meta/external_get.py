"""Guarded GET requests to addresses that customers or the platform name."""

from collections.abc import Mapping

import aiohttp

from core.foundation.http_client.client import GuardedConnector


async def get(
    outside: aiohttp.ClientSession,
    address: str,
    *,
    headers: Mapping[str, str] | None = None,
    timeout: aiohttp.ClientTimeout,  # noqa: ASYNC109 - aiohttp's own
) -> aiohttp.ClientResponse:
    """One GET through a session of `open_client`, following nothing; close the answer.

    The session judges every connection, but sees neither scheme nor port as they are written: the
    text is judged here. Raises OutboundRefused, and what aiohttp raises.
    """
    connector = outside.connector
    if not isinstance(connector, GuardedConnector):
        raise aiohttp.ClientConnectionError("the session is closed, or not one of open_client")
    return await outside.get(
        connector.checked_url(address), headers=headers, allow_redirects=False, timeout=timeout
    )
