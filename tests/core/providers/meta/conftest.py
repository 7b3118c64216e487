"""A platform on this machine, and the client that is under test."""

from collections.abc import AsyncIterator
from ipaddress import ip_network

import pytest
from yarl import URL

from core.foundation.http_client import OutboundPolicy, open_client
from core.providers.gateway import open_session
from core.providers.meta import MetaPlatform
from core.providers.meta.graph import GraphClient
from core.providers.platform import ConversationPlatform, SenderAccount
from tests.fakes.graph import SECRET, TOKEN, VERSION, FakeGraph, a_graph

NEAR = OutboundPolicy(allow_http=True, allow_networks=(ip_network("127.0.0.0/8"),))


@pytest.fixture
async def graph() -> AsyncIterator[FakeGraph]:
    async with a_graph() as fake:
        yield fake


@pytest.fixture
async def platform(graph: FakeGraph) -> AsyncIterator[ConversationPlatform]:
    async with open_session() as session, open_client(NEAR) as outside:
        url = URL(graph.url)
        yield MetaPlatform(
            GraphClient(url / VERSION, url / "instagram" / VERSION, SECRET, None, session, 0.5),
            outside,
            app_id="893650231",
        )


@pytest.fixture
def number() -> SenderAccount:
    return SenderAccount(
        "num_v0486I4sb9qvmbeLF0zLs", "whatsapp", "106540352242922", "102290129340398", TOKEN
    )


@pytest.fixture
def account() -> SenderAccount:
    return SenderAccount("iga_v0486I4sb9qvmbeLF0zLs", "instagram", "17841400000000001", None, TOKEN)
