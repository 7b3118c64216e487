"""The HTTP session with the gateway.

Its address comes from the operator, not from a customer, so it may lie inside our network: no
address rule.
"""

import aiohttp

_MAX_CONNECTIONS = 500
# Below the five seconds after which common servers drop an idle connection. A send that meets the
# drop on its way has an unknown outcome, although most likely nobody saw it.
_IDLE_TIMEOUT_SECONDS = 4.0


def open_session() -> aiohttp.ClientSession:
    """A session for `Gateway`; call it inside the loop and close it with `await session.close()`.

    Waiting for one of its 500 connections counts into the time to connect: a gateway that hangs
    makes further sends fail clearly, with nothing handed over.
    """
    return aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(
            limit=_MAX_CONNECTIONS, keepalive_timeout=_IDLE_TIMEOUT_SECONDS
        ),
        cookie_jar=aiohttp.DummyCookieJar(),
        # The bound on an answer counts what came over the wire: nothing is inflated.
        auto_decompress=False,
        headers={
            "User-Agent": "SVC/1",
            "Accept": "application/json",
            "Accept-Encoding": "identity",
        },
        # Neither proxies nor passwords from the surroundings: the setting names the address.
        trust_env=False,
    )
