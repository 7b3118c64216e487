"""Files in a bucket of any service that speaks the S3 protocol."""

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack
from typing import Any

from aiobotocore.config import AioConfig  # type: ignore[import-untyped]
from aiobotocore.session import get_session  # type: ignore[import-untyped]
from botocore.exceptions import BotoCoreError, ClientError  # type: ignore[import-untyped]

from core.foundation.blobs.store import Served, StoreAway

MOST_PER_DELETION = 1_000


class S3Store:
    """One object per key. Credentials come from the usual places of the AWS tools: environment, profile, or role.

    Readers are sent to the bucket itself; the signature carries the type and name that it must answer with.
    """

    def __init__(self, bucket: str, *, endpoint: str | None, region: str) -> None:
        self._bucket = bucket
        self._place = {"endpoint_url": endpoint, "region_name": region}
        self._opening = asyncio.Lock()
        self._held = AsyncExitStack()
        self._opened: Any = None

    async def put(self, key: str, content: bytes) -> None:
        client = await self._client()
        try:
            await client.put_object(Bucket=self._bucket, Key=key, Body=content)
        except (BotoCoreError, ClientError):
            raise StoreAway from None

    async def delete(self, keys: Sequence[str]) -> None:
        client = await self._client()
        try:
            for start in range(0, len(keys), MOST_PER_DELETION):
                names = [{"Key": key} for key in keys[start : start + MOST_PER_DELETION]]
                answer = await client.delete_objects(Bucket=self._bucket, Delete={"Objects": names, "Quiet": True})
                if answer.get("Errors"):
                    raise StoreAway
        except (BotoCoreError, ClientError):
            raise StoreAway from None

    async def signed_url(self, key: str, served: Served, *, seconds: int) -> str:
        client = await self._client()
        asked = {
            "Bucket": self._bucket,
            "Key": key,
            "ResponseContentType": served.content_type,
            "ResponseContentDisposition": served.disposition,
        }
        url: str = await client.generate_presigned_url("get_object", Params=asked, ExpiresIn=seconds)
        return url

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
                    retries={"max_attempts": 3, "mode": "standard"},
                )
                session = get_session()
                try:
                    self._opened = await self._held.enter_async_context(
                        session.create_client("s3", config=config, **self._place)
                    )
                except BotoCoreError:
                    raise StoreAway from None
            return self._opened
