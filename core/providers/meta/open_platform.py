"""Opening the platform of a process from its settings."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from yarl import URL

from core.foundation.http_client import OutboundPolicy, open_client
from core.foundation.settings import Settings
from core.providers.gateway.session import open_session
from core.providers.meta.client import MetaPlatform
from core.providers.meta.graph import GraphClient


@asynccontextmanager
async def open_platform(settings: Settings) -> AsyncIterator[MetaPlatform | None]:
    """The platform with sessions of its own, or None where none is configured."""
    if not settings.meta_app_secrets:
        yield None
        return
    policy = OutboundPolicy(
        allow_http=settings.webhook_allow_http == "on",
        allow_networks=settings.webhook_allow_networks,
    )
    async with open_session() as session, open_client(policy) as outside:
        graph = GraphClient(
            url=URL(settings.meta_graph_url) / settings.meta_graph_version,
            instagram_url=URL(settings.meta_instagram_url) / settings.meta_graph_version,
            secret=settings.meta_app_secrets[0],
            token=settings.meta_access_token,
            session=session,
            seconds=settings.meta_timeout_seconds,
        )
        yield MetaPlatform(graph, outside, app_id=settings.meta_app_id)
