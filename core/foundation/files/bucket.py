"""Files in a bucket of any service that speaks the S3 protocol."""

import asyncio
import tempfile
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import (
    AbstractAsyncContextManager,
    AsyncExitStack,
    asynccontextmanager,
    contextmanager,
)
from pathlib import Path
from typing import Any

import aiohttp
from aiobotocore.config import AioConfig  # type: ignore[import-untyped]
from aiobotocore.session import get_session  # type: ignore[import-untyped]
from botocore.exceptions import BotoCoreError, ClientError  # type: ignore[import-untyped]

from core.foundation.files.errors import NoSuchBlob, StoreAway, away
from core.foundation.files.partial_uploads import PartialUpload, open_draft
from core.foundation.files.store import PIECE, Served
from core.foundation.slices import slices

DELETE_BATCH_SIZE = 1_000


class S3Store:
    """One object per key. Credentials come from the usual places of the AWS tools: environment,
    profile, or role.

    Readers are sent to the bucket itself; the signature carries the type and name that it must
    answer with. What fails is tried up to `attempts` times.
    """

    def __init__(
        self,
        bucket: str,
        *,
        endpoint: str | None,
        region: str,
        drafts: Path | None = None,
        attempts: int = 4,
    ) -> None:
        self._bucket = bucket
        self._drafts = drafts or Path(tempfile.gettempdir()) / "svc-drafts"
        self._attempts = attempts
        self._place = {"endpoint_url": endpoint, "region_name": region}
        self._opening = asyncio.Lock()
        self._held = AsyncExitStack()
        self._opened: Any = None

    async def put(self, key: str, content: bytes) -> None:
        client = await self._client()
        with _bucket_away():
            await client.put_object(Bucket=self._bucket, Key=key, Body=content)

    def draft(self) -> AbstractAsyncContextManager[PartialUpload]:
        return open_draft(self._drafts)

    async def put_draft(self, key: str, draft: PartialUpload) -> None:
        client = await self._client()
        file = await asyncio.to_thread(draft.path.open, "rb")
        with file, _bucket_away():
            # One request: the object is there whole or not at all, and nothing is left in parts.
            await client.put_object(
                Bucket=self._bucket, Key=key, Body=file, ContentLength=draft.size
            )

    @asynccontextmanager
    async def read(
        self, key: str, *, start: int = 0, end: int | None = None
    ) -> AsyncIterator[AsyncIterator[bytes]]:
        client = await self._client()
        span = (
            {}
            if (start, end) == (0, None)
            else {"Range": f"bytes={start}-{'' if end is None else end - 1}"}
        )
        with _bucket_away():
            try:
                answer = await client.get_object(Bucket=self._bucket, Key=key, **span)
            except ClientError as error:
                if _code_of(error) == "NoSuchKey":
                    raise NoSuchBlob from None
                raise
        async with answer["Body"] as body:
            yield _pieces(body)

    @asynccontextmanager
    async def on_disk(self, key: str) -> AsyncIterator[Path]:
        async with self.read(key) as pieces, self.draft() as draft:
            async for piece in pieces:
                await draft.write(piece)
            await draft.finish()
            yield draft.path

    async def stored_keys(self) -> AsyncIterator[str]:
        client = await self._client()
        with _bucket_away():
            async for page in client.get_paginator("list_objects_v2").paginate(Bucket=self._bucket):
                for entry in page.get("Contents", ()):
                    yield entry["Key"]

    async def delete(self, keys: Sequence[str]) -> None:
        client = await self._client()
        with _bucket_away():
            for part in slices(keys, DELETE_BATCH_SIZE):
                names = [{"Key": key} for key in part]
                answer = await client.delete_objects(
                    Bucket=self._bucket, Delete={"Objects": names, "Quiet": True}
                )
                if errors := answer.get("Errors"):
                    raise away(str(errors[0].get("Code")))

    async def signed_url(self, key: str, served: Served, *, seconds: int) -> str:
        client = await self._client()
        asked = {
            "Bucket": self._bucket,
            "Key": key,
            "ResponseContentType": served.content_type,
            "ResponseContentDisposition": served.disposition,
        }
        with _bucket_away():  # no credentials, for instance
            url: str = await client.generate_presigned_url(
                "get_object", Params=asked, ExpiresIn=seconds
            )
        return url

    async def signed_urls(
        self, files: Sequence[tuple[str, str, str]], *, seconds: int
    ) -> list[str]:
        return [
            await self.signed_url(key, Served(name, mime_type), seconds=seconds)
            for key, name, mime_type in files
        ]

    async def look(self) -> str:
        """What the bucket says to somebody who asks for a file that is not there, in a word of the
        protocol: `NoSuchKey` is the right answer. Where nobody answers, the name of the error;
        empty for an answer that no bucket gives.
        """
        try:
            client = await self._client()
            await client.get_object(Bucket=self._bucket, Key="svc-doctor/nothing")
        except ClientError as error:
            return _code_of(error)
        except (BotoCoreError, StoreAway) as error:
            return type(error).__name__
        return ""

    async def close(self) -> None:
        await self._held.aclose()
        self._opened = None

    async def _client(self) -> Any:
        async with self._opening:
            if self._opened is None:
                # Buckets of other makers are addressed by path, and signed the newer way.
                config = AioConfig(
                    signature_version="s3v4",
                    s3={"addressing_style": "path" if self._place["endpoint_url"] else "auto"},
                    connect_timeout=5,
                    read_timeout=30,
                    retries={"total_max_attempts": self._attempts, "mode": "standard"},
                )
                session = get_session()
                with _bucket_away():
                    self._opened = await self._held.enter_async_context(
                        session.create_client("s3", config=config, **self._place)
                    )
            return self._opened


@contextmanager
def _bucket_away() -> Iterator[None]:
    """What fails inside is told as StoreAway."""
    try:
        yield
    except ClientError as error:
        raise away(_code_of(error)) from None
    except (BotoCoreError, aiohttp.ClientError) as error:
        raise away(type(error).__name__) from None


def _code_of(error: Any) -> str:
    """The bucket's refusal in a word of the protocol."""
    return str(error.response.get("Error", {}).get("Code"))


async def _pieces(body: Any) -> AsyncIterator[bytes]:
    with _bucket_away():
        async for piece in body.iter_chunks(PIECE):
            yield piece
