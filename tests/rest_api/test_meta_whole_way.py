"""A live conversation, from what the platform posts to what leaves and comes back; only the
platform is a fake.
"""

import hashlib
import hmac
import json
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import httpx
import pytest

from core import numbers
from core.conversations import inbound
from core.foundation import settings
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.security.caller import Caller
from core.providers import registry
from rest_api.app import create_app
from tests.core.providers.meta.recorded_shapes import answer, notice
from tests.factories.conversations import a_message, let_leave
from tests.factories.live import a_live_caller
from tests.factories.numbers import an_instagram_account
from tests.fakes.graph import SECRET, TOKEN, FakeGraph, a_graph, says

LINE, WABA, ACCOUNT = "106540352242922", "102290129340398", "17841400000000001"

FIRST = "wamid.HBgNNTUxMTk4NzY1MDAwNRUCABEYEkE0"


@pytest.fixture
async def graph(database: None, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[FakeGraph]:
    """The platform, configured as an operator does, and open."""
    async with a_graph() as fake:
        with monkeypatch.context() as patched:
            patched.setenv("SVC_META_APP_SECRETS", SECRET)
            patched.setenv("SVC_META_VERIFY_TOKEN", "the word that we agreed upon")
            patched.setenv("SVC_META_GRAPH_URL", fake.url)
            patched.setenv("SVC_META_INSTAGRAM_URL", f"{fake.url}/instagram")
            settings.current.cache_clear()
            await registry.open_providers(settings.current())
            yield fake
            await registry.close_providers()
        settings.current.cache_clear()


@pytest.fixture
async def client(real_commits: None) -> AsyncIterator[httpx.AsyncClient]:
    """Calls the application. What is handed over is settled by another connection, so everything is
    committed.
    """
    transport = httpx.ASGITransport(app=create_app(), raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://svc.test") as client:
        yield client


async def connected(
    caller: Caller, graph: FakeGraph, phone: str = "+5511911110000", line: str = LINE
) -> str:
    """A number that the platform confirms."""
    graph.at("GET", line, says(answer("health")))
    ids = {"phoneNumberId": line, "wabaId": WABA, "token": TOKEN}
    new = numbers.NewNumber.model_validate({"phone": phone, "name": "Loja", "platform": ids})
    created = await numbers.create_number(caller, new)
    assert created["status"] == "connected"
    id: str = created["id"]
    return id


def lately(name: str) -> bytes:
    """A recorded notice, as if it had happened now."""
    return notice(name).replace(b"1763726400", b"%d" % now().timestamp())


async def told(client: httpx.AsyncClient, body: dict[str, Any] | bytes) -> None:
    """The platform posts, and a worker applies it."""
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    signature = "sha256=" + hmac.new(SECRET.encode(), raw, hashlib.sha256).hexdigest()
    done = await client.post(
        "/providers/meta", content=raw, headers={"X-Hub-Signature-256": signature}
    )
    assert done.status_code == 200
    await inbound.apply_due_notices(at=now())


def about(message_id: str, name: str, reference: str = FIRST) -> dict[str, Any]:
    """A recorded report, about a message of ours."""
    body: dict[str, Any] = json.loads(lately(name))
    status = body["entry"][0]["changes"][0]["value"]["statuses"][0]
    status |= {"biz_opaque_callback_data": message_id, "id": reference}
    return body


async def stored(id: str) -> dict[str, Any]:
    row = await db.fetchrow(
        "SELECT status, provider_reference, upstream_code FROM messages WHERE id = $1", id
    )
    assert row is not None
    return dict(row)


async def test_a_person_writes_is_answered_and_reads_it(
    client: httpx.AsyncClient, graph: FakeGraph
) -> None:
    caller = await a_live_caller()
    number_id = await connected(caller, graph)
    graph.at("POST", f"{LINE}/messages", says(answer("sent")))

    await told(client, lately("text"))
    await told(client, lately("text"))  # the platform tells twice
    received = await db.fetch(
        "SELECT direction, recipient FROM messages WHERE number_id = $1", number_id
    )
    assert [tuple(row.values()) for row in received] == [("inbound", "+5511987650005")]

    sent = await a_message(caller, number_id, to="+5511987650005")
    await let_leave()
    assert graph.last.proven
    assert graph.last.body["biz_opaque_callback_data"] == sent["id"]
    assert await stored(sent["id"]) == {
        "status": "sent",
        "provider_reference": FIRST,
        "upstream_code": None,
    }

    for name in ("read", "delivered", "sent"):  # out of order
        await told(client, about(sent["id"], name))
    assert (await stored(sent["id"]))["status"] == "read"

    graph.at("POST", f"{LINE}/messages", says({"messages": [{"id": "wamid.again"}]}))
    again = await a_message(caller, number_id, to="+5511987650005")
    await let_leave(at=now() + timedelta(seconds=10))
    # The form in which the platform answered is used from then on.
    assert graph.last.body["to"].removeprefix("+") == "551187650005"
    await told(client, about(again["id"], "failed", "wamid.again"))
    assert await stored(again["id"]) == {
        "status": "failed",
        "provider_reference": "wamid.again",
        "upstream_code": "131049",
    }


async def test_a_follower_writes_on_instagram_and_is_answered(
    client: httpx.AsyncClient, graph: FakeGraph
) -> None:
    caller = await a_live_caller()
    account = await an_instagram_account(caller, instagramId=ACCOUNT, token=TOKEN)
    graph.at("POST", f"{ACCOUNT}/messages", says(answer("sent_instagram")))

    await told(client, lately("instagram_text"))
    sent = await a_message(caller, ..., instagramAccountId=account.id, to="1254477777772919")  # type: ignore[arg-type]
    await let_leave()

    assert graph.last.proven
    assert graph.last.body["recipient"] == {"id": "1254477777772919"}
    await told(client, lately("instagram_read"))
    assert (await stored(sent["id"]))["status"] == "read"


async def test_what_changes_about_a_number_is_learned(
    client: httpx.AsyncClient, graph: FakeGraph
) -> None:
    caller = await a_live_caller()
    number = await connected(caller, graph)
    sibling = await connected(caller, graph, "+5511911110001", "106540352242923")

    async def seen(id: str) -> tuple[Any, ...]:
        row = await db.fetchrow(
            "SELECT status, quality_rating, messaging_tier, name_status, partner_removed_reason FROM numbers "
            "WHERE id = $1",
            id,
        )
        assert row is not None
        return tuple(row.values())

    await numbers.Number.all().update(
        last_meta_sync_at=None
    )  # the recorded notices are older than our look
    before = await seen(sibling)
    for name in ("quality_flagged", "name_rejected"):
        await told(client, notice(name))
    assert await seen(number) == ("flagged", "red", "tier_10k", "rejected", None)
    assert await seen(sibling) == before

    await told(client, notice("quality_unflagged"))
    assert (await seen(number))[:2] == ("connected", "unknown")
    await told(client, notice("partner_removed"))
    assert {(await seen(id))[-1] for id in (number, sibling)} == {"PARTNER_REMOVED"}
    await told(client, notice("partner_added"))
    assert {(await seen(id))[-1] for id in (number, sibling)} == {None}
