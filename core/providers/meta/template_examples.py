"""Uploading example files for headers of templates before the platform reviews them."""

import asyncio
import tempfile
from typing import IO

from core.foundation.http_client import GuardedClient, OutboundRefused, fetch
from core.foundation.json_values import text_of
from core.providers.meta.graph import GraphClient
from core.providers.platform import SenderAccount, UpstreamError

MAX_BYTES = 100 * 1024 * 1024
UPLOAD_TIMEOUT = 120.0

_TYPES = ("image/jpeg", "image/png", "video/mp4", "application/pdf")


async def handle_of(
    graph: GraphClient,
    outside: GuardedClient,
    sender: SenderAccount,
    address: str,
    *,
    app_id: str | None,
) -> str:
    """Fetch an example from our customer's server and upload it. Answers what the platform calls
    it; raises UpstreamError.

    `outside`: a client that connects only where the address rule allows.
    """
    if app_id is None:
        raise UpstreamError(
            "app_id",
            "Without SVC_META_APP_ID no template with a file in its header can be handed in.",
        )
    with tempfile.TemporaryFile() as kept:
        mime_type = await _fetch(outside, address, kept)
        size = kept.tell()
        kept.seek(0)
        query = {"file_name": "example", "file_length": str(size), "file_type": mime_type}
        session = text_of(await graph.ask("POST", sender, f"{app_id}/uploads", query=query), "id")
        if session is None or "/" in session or ".." in session:
            raise UpstreamError("200", "The platform's answer cannot be read.", retryable=True)
        handle = text_of(await graph.put(sender, session, kept, seconds=UPLOAD_TIMEOUT), "h")
    if handle is None:
        raise UpstreamError("200", "The platform's answer cannot be read.", retryable=True)
    return handle


async def _fetch(outside: GuardedClient, address: str, kept: IO[bytes]) -> str:
    """Write the file down; answers its type."""
    try:
        async with await fetch(outside, address, timeout=UPLOAD_TIMEOUT) as response:
            if response.status != 200 or response.content_type not in _TYPES:
                raise UpstreamError(
                    "example",
                    "The example of the header is no image, video or PDF that can be fetched.",
                )
            async for piece in response.pieces():
                await asyncio.to_thread(kept.write, piece)
                if kept.tell() > MAX_BYTES:
                    raise UpstreamError("example", "The example of the header is too large.")
            return response.content_type
    except OutboundRefused:
        raise UpstreamError(
            "example", "The example of the header lies at an address that is not allowed."
        ) from None
    except (OSError, ValueError):
        raise UpstreamError(
            "example", "The example of the header cannot be fetched.", retryable=True
        ) from None
