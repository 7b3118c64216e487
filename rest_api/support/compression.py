"""Compressed answers, for those who ask for them.

What is compressed is what only reads. An answer to a write may show a secret, once (a key, a token,
the secret of a subscription), and stays as it is: how long something is when it is compressed tells
of what is in it, to whoever can put words of his own beside it (BREACH). That needs a browser that
sends the victim's credential by itself, and none of ours is a cookie; but a secret is no place to
rely on one thing alone.
"""

import asyncio
import gzip

from rest_api.support.accept import accepted

SMALL = 1_000
"""Bytes that are not worth compressing."""

LONG = 100_000
"""Bytes that are compressed beside the loop, which has others to answer meanwhile."""

QUICK = 1
"""The level for what is made for one answer: the highest costs ten times as much and saves a sixth
more.
"""

ENCODED = (b"content-encoding", b"gzip")
VARIES = (b"vary", b"Accept-Encoding")


def takes_gzip(header: str | None) -> bool:
    """Whether `Accept-Encoding` takes gzip; without the header, nothing is asked for."""
    weights = accepted(header)
    return weights.get("gzip", weights.get("*", 0.0)) > 0


async def gzipped(body: bytes) -> bytes:
    """The body, compressed for one answer."""
    if len(body) < LONG:
        return gzip.compress(body, compresslevel=QUICK, mtime=0)
    return await asyncio.to_thread(gzip.compress, body, compresslevel=QUICK, mtime=0)
