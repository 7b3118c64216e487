"""Amazon's two providers of a process, made of its settings."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import aiohttp

from core.foundation.settings import Settings
from core.providers.amazon.calls import (
    EUM_API,
    SNS_API,
    AwsApi,
    AwsService,
    HasKeys,
    region_of_queue,
)
from core.providers.amazon.eum import Eum
from core.providers.amazon.sns import Sns
from core.providers.gateway.session import open_session


def api_for(service: AwsService, region: str, session: aiohttp.ClientSession) -> AwsApi:
    """A service of AWS with the credentials of the surroundings."""
    return AwsApi(service, region, _credentials(), session)


def api_at_queue(service: AwsService, settings: Settings, session: aiohttp.ClientSession) -> AwsApi:
    """The API of the queue in the settings: its address names host and region."""
    url = settings.amazon_events_queue or ""
    return api_for(service, region_of_queue(url) or settings.eum_region, session)


@asynccontextmanager
async def open_eum(settings: Settings) -> AsyncIterator[Eum | None]:
    """`cloud-eum` with a session of its own, or None where no route has an origin."""
    if not settings.eum_origins:
        yield None
        return
    async with open_session() as session:
        yield eum_of(settings, session)


def eum_of(settings: Settings, session: aiohttp.ClientSession) -> Eum:
    """`cloud-eum` as the settings describe it."""
    return Eum(
        api_for(EUM_API, settings.eum_region, session),
        origins=settings.eum_origins,
        configuration_set=settings.eum_configuration_set,
        protect=settings.eum_protect,
        max_price_per_part=settings.amazon_max_price_usd,
        parts_per_second=settings.amazon_parts_per_second,
    )


@asynccontextmanager
async def open_sns(settings: Settings) -> AsyncIterator[Sns | None]:
    """`cloud-sns` with a session of its own, or None where it has no region."""
    if settings.sns_region is None:
        yield None
        return
    async with open_session() as session:
        yield Sns(
            api_for(SNS_API, settings.sns_region, session),
            sender_id=settings.sns_sender_id,
            max_price_per_part=settings.amazon_max_price_usd,
        )


def _credentials() -> HasKeys:
    # It imports aiobotocore: a second that only those wait for who have Amazon set.
    from core.providers.amazon.credentials import AwsCredentials  # noqa: PLC0415

    return AwsCredentials()
