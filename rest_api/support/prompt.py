"""Bodies of those who have not shown who they are: anybody may begin one."""

import asyncio

from starlette.types import Receive

from rest_api.support.broken_requests import EndedEarly
from rest_api.support.requests import Headers, read_all

BODY_SECONDS = 30.0
"""Until all of it must have come: one that drips would hold a connection and its memory for ever.
"""


async def read_promptly(receive: Receive, headers: Headers, *, limit: int) -> bytes:
    """The body, up to `limit` bytes. Raises PayloadTooLarge without reading on, EndedEarly when it
    takes too long.
    """
    try:
        async with asyncio.timeout(BODY_SECONDS):
            return await read_all(receive, headers, limit=limit)
    except TimeoutError:
        raise EndedEarly from None
