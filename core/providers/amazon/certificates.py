"""Amazon's certificates: fetched through the guarded client from an address that was judged, kept
for a day.
"""

import time

from core.foundation.bounded_cache import BoundedCache
from core.foundation.http_client import OutboundPolicy, client_for, fetch

KEEP_SECONDS = 24 * 3600.0
MAX_BYTES = 20_000
MAX_KEPT_BYTES = 160_000
"""Eight of them."""
FETCH_TIMEOUT_SECONDS = 10.0

_kept: BoundedCache[str, tuple[float, bytes]] = BoundedCache(
    max_bytes=MAX_KEPT_BYTES, weigh=lambda *_: MAX_BYTES
)


async def certificate_at(url: str) -> bytes:
    """The PEM at an address of `notification.certificate_url`. Raises OSError and OutboundRefused."""
    found = _kept.get(url)
    if found is not None and time.monotonic() - found[0] < KEEP_SECONDS:
        return found[1]
    pem = await _fetch(url)
    _kept.put(url, (time.monotonic(), pem))
    return pem


async def _fetch(url: str) -> bytes:
    pem = bytearray()
    client = client_for(OutboundPolicy())
    async with await fetch(client, url, timeout=FETCH_TIMEOUT_SECONDS) as answer:
        if answer.status != 200:
            raise OSError(f"HTTP {answer.status}")
        async for piece in answer.pieces():
            pem += piece
            if len(pem) > MAX_BYTES:
                raise OSError("too long for a certificate")
    return bytes(pem)
