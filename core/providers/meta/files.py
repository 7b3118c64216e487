"""Uploading and downloading files, streamed: memory stays flat however large they are."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
import structlog

from core.foundation.http_client import FetchedResponse, GuardedClient, OutboundRefused, fetch
from core.foundation.json_values import text_of
from core.providers.meta.graph import GraphClient
from core.providers.meta.untrusted_json import id_of
from core.providers.platform import SenderAccount, UpstreamError

UPLOAD_TIMEOUT = 600.0

_INSTAGRAM_KINDS = {"image": "image", "video": "video", "audio": "audio"}

_log = structlog.get_logger(__name__)


async def upload(
    graph: GraphClient, sender: SenderAccount, file: Path, *, mime_type: str, filename: str
) -> str:
    """Put a file there, for about a month. Answers the platform's id of it; raises UpstreamError."""
    with file.open("rb") as content:
        form = aiohttp.FormData()
        if sender.channel == "instagram":
            kind = _INSTAGRAM_KINDS.get(mime_type.partition("/")[0], "file")
            form.add_field("platform", "instagram")
            form.add_field(
                "message",
                json.dumps({"attachment": {"type": kind, "payload": {"is_reusable": True}}}),
            )
            form.add_field("filedata", content, filename=filename, content_type=mime_type)
            path, name = f"{sender.platform_id}/message_attachments", "attachment_id"
        else:
            form.add_field("messaging_product", "whatsapp")
            form.add_field("type", mime_type)
            form.add_field("file", content, filename=filename, content_type=mime_type)
            path, name = f"{sender.platform_id}/media", "id"
        answer = await graph.ask("POST", sender, path, form=form, seconds=UPLOAD_TIMEOUT)
    media_id = id_of(answer, name)
    if media_id is None:
        raise UpstreamError("200", "The platform's answer cannot be read.", retryable=True)
    return media_id


@asynccontextmanager
async def download(
    graph: GraphClient, outside: GuardedClient, sender: SenderAccount, media_id: str
) -> AsyncIterator[AsyncIterator[bytes]]:
    """The bytes of a file: its id leads to an address that lives some minutes. On Instagram the id
    is the address.

    `outside`: a client that connects only where the address rule allows: whoever writes to us
    chooses these addresses, or could. Raises UpstreamError, within the iteration too.
    """
    address, headers = await _address(graph, sender, media_id)
    try:
        # No end to a large file's time, but to the time in which nothing comes.
        response = await fetch(outside, address, headers=headers)
    except OutboundRefused:
        raise UpstreamError("address", "The file lies at an address that is not allowed.") from None
    except (OSError, ValueError):
        raise _broken_off() from None
    try:
        if response.status != 200:
            _log.warning("meta_download", status=response.status)
            gone = response.status in (404, 410)
            raise UpstreamError(
                str(response.status),
                "The platform did not give the file.",
                gone=gone,
                retryable=not gone and response.status != 403,
            )
        yield _pieces(response)
    finally:
        response.close()


async def _address(
    graph: GraphClient, sender: SenderAccount, media_id: str
) -> tuple[str, dict[str, str]]:
    if sender.channel == "instagram":
        return (
            media_id,
            {},
        )  # who has the address needs no token, and who wrote it must not get ours
    if not media_id.isascii() or not media_id.isalnum():
        raise UpstreamError("100", "The platform has no file of this id.", gone=True)
    answer = await graph.ask("GET", sender, media_id, query={"phone_number_id": sender.platform_id})
    address = text_of(answer, "url")
    if address is None:
        raise UpstreamError("200", "The platform's answer cannot be read.", retryable=True)
    return address, {"Authorization": f"Bearer {graph.token_of(sender)}"}


async def _pieces(response: FetchedResponse) -> AsyncIterator[bytes]:
    try:
        async for piece in response.pieces():
            yield piece
    except OSError:
        raise _broken_off() from None


def _broken_off() -> UpstreamError:
    return UpstreamError("network", "The file did not arrive whole.", retryable=True)
