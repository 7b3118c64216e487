"""One address for organizations of two cells: what each credential, link and callback finds."""

import asyncio
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from core import cells, operations, organizations
from core.foundation import settings
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.security.caller import DEFAULT_KEY_SCOPES, Env, system_caller
from core.organizations import LogIn, clear_credential_cache
from core.providers import gateway
from rest_api.app import create_app
from tests.factories.media import PDF
from tests.factories.numbers import a_number
from tests.support.log_ins import at_once
from tests.support.two_cells import away, second_database, south

__all__ = ["at_once", "second_database", "south"]

EMAIL, PASSWORD = "ana@padaria.test", "correct horse battery staple"


@dataclass
class Owner:
    """An organization, a key of it, and its cell."""

    id: str
    headers: dict[str, str]
    cell: cells.Cell


async def an_owner(cell: cells.Cell, *, env: Env = "test", email: str | None = None) -> Owner:
    """A new one."""
    log_in = LogIn(email=email, password=PASSWORD) if email else None
    organization, _ = await operations.open_organization("Padaria", log_in, cell=cell)
    with cells.use_cell(cell):
        new = organizations.NewKey(name="k", env=env, scopes=list(DEFAULT_KEY_SCOPES))
        issued = await organizations.issue_key(system_caller(organization.id, env), new)
    return Owner(organization.id, {"Authorization": f"Bearer {issued['key']}"}, cell)


@pytest.fixture
async def rest(south: cells.Cell) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(app=create_app(), raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://svc.test") as client:
        yield InContexts(client)  # type: ignore[misc]


class InContexts:
    """Each call in a task of its own, as a server has it: a cell that is entered ends with it."""

    def __init__(self, client: httpx.AsyncClient) -> None:
        self._client = client

    async def request(self, *words: Any, **more: Any) -> httpx.Response:
        """A call."""
        return await asyncio.create_task(self._client.request(*words, **more))

    async def get(self, path: str, **more: Any) -> httpx.Response:
        """A GET."""
        return await self.request("GET", path, **more)

    async def post(self, path: str, **more: Any) -> httpx.Response:
        """A POST."""
        return await self.request("POST", path, **more)


async def count(table: str, cell: cells.Cell) -> int:
    """The rows of a table."""
    with cells.use_cell(cell):
        found: int = await db.fetchval(f"SELECT count(*) FROM {table}")
        return found


async def test_keys_find_their_cell(rest: httpx.AsyncClient, south: cells.Cell) -> None:
    home, there = await an_owner(cells.HOME), await an_owner(south)
    for owner in (home, there, home):
        me = await rest.get("/v2/me", headers=owner.headers)
        assert me.json()["organization"]["id"] == owner.id
        contact = {"name": "Ana", "phone": "+5511987650001"}
        made = await rest.post("/contacts", json=contact, headers=owner.headers)
        assert made.status_code in (201, 409), made.text
        sent = await rest.post(
            "/v2/sms/messages",
            json={"to": "+5511987650005", "body": "Olá", "route": "premium"},
            headers={**owner.headers, "Idempotency-Key": "once"},
        )
        assert sent.status_code == 201, sent.text
        question = {"query": "{ contacts(first: 5) { nodes { id } } }"}
        told = (await rest.post("/graphql", json=question, headers=owner.headers)).json()
        assert len(told["data"]["contacts"]["nodes"]) == 1
    for cell in (cells.HOME, south):
        assert await count("messages", cell) == 1
        assert await count("contacts", cell) == 1
        assert await count("idempotency_keys", cell) == 1
    wrong = await rest.get("/v2/me", headers={"Authorization": "Bearer svc_test_nothing"})
    assert wrong.status_code == 401


@pytest.mark.usefixtures("at_once")
async def test_people_log_in_wherever_they_live(rest: httpx.AsyncClient, south: cells.Cell) -> None:
    home = await an_owner(cells.HOME, email="rui@padaria.test")
    there = await an_owner(south, email=EMAIL)
    both = await an_owner(south, email="rui@padaria.test")
    for email, owner in ((EMAIL, there), ("rui@padaria.test", home), ("rui@padaria.test", both)):
        asked = {"email": email, "password": PASSWORD, "env": "test", "organizationId": owner.id}
        opened = await rest.post("/v2/sessions", json=asked)
        assert opened.status_code == 201, opened.text
        token = {"Authorization": f"Bearer {opened.json()['token']}"}
        me = (await rest.get("/v2/me", headers=token)).json()
        assert me["organization"]["id"] == owner.id
    assert (await count("sessions", cells.HOME), await count("sessions", south)) == (1, 2)
    ambiguous = {"email": "rui@padaria.test", "password": PASSWORD, "env": "test"}
    assert (await rest.post("/v2/sessions", json=ambiguous)).status_code == 422
    wrong = {**ambiguous, "email": EMAIL, "password": "no"}
    assert (await rest.post("/v2/sessions", json=wrong)).status_code == 401
    assert await count("failed_log_ins", south) == 0


async def test_links_and_callbacks_find_their_cell(
    rest: httpx.AsyncClient, south: cells.Cell, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = await an_owner(south)
    sent = await rest.post(
        "/v2/sms/messages",
        json={
            "to": "+5511987650005",
            "body": "Veja https://example.com/pedido",
            "route": "premium",
            "trackLinks": True,
        },
        headers={**there.headers, "Idempotency-Key": "once"},
    )
    assert sent.status_code == 201, sent.text
    with cells.use_cell(south):
        code = await db.fetchval("SELECT code FROM short_links")
    followed = await rest.get(f"/l/{code}", headers={"User-Agent": "Mozilla/5.0 (iPhone)"})
    assert followed.headers["location"] == "https://example.com/pedido"
    assert (await rest.get("/l/0000000000")).status_code == 404
    monkeypatch.setenv("SVC_GATEWAY_URL", "http://127.0.0.1:1")
    monkeypatch.setenv("SVC_GATEWAY_SECRET", "a secret of the gateway, long enough")
    settings.current.cache_clear()
    try:
        unknown = there.id[:-1] + ("a" if there.id[-1] != "a" else "b")
        answers = [await call_back(rest, one) for one in (there.id, unknown)]
    finally:
        monkeypatch.undo()
        settings.current.cache_clear()
    assert [one.status_code for one in answers] == [400, 404]  # of whom it is, and of nobody


async def call_back(rest: httpx.AsyncClient, organization_id: str) -> httpx.Response:
    """A receipt that cannot be read, signed."""
    path, body = f"/providers/gateway/{organization_id}/receipts", b'{"receipts": [{}]}'
    signature = gateway.sign(
        settings.current().gateway_secret or "", body, to=f"POST {path}", at=int(time.time())
    )
    return await rest.post(path, content=body, headers={gateway.SIGNATURE_HEADER: signature})


async def test_a_cell_that_is_away_is_503_for_its_own_alone(
    rest: httpx.AsyncClient, south: cells.Cell
) -> None:
    home, there = await an_owner(cells.HOME), await an_owner(south)
    assert (await rest.get("/v2/me", headers=there.headers)).status_code == 200
    async with away(south):
        for _ in range(2):
            refused = await rest.get("/contacts", headers=there.headers)
            assert refused.status_code == 503
            assert int(refused.headers["retry-after"]) >= 1
            assert (await rest.get("/contacts", headers=home.headers)).status_code == 200
            clear_credential_cache()
        found = await operations.look_into_cells()
        assert [(one.name, one.is_up) for one in found] == [("south", False)]
        link = await rest.get("/l/0000000000")
        assert link.status_code == 503
    assert (await rest.get("/contacts", headers=there.headers)).status_code == 200
    (again,) = await operations.measure_cells(at=now())
    assert again.is_up
    assert {queue.queue for queue in again.queues} >= {"webhook_deliveries"}


@pytest.mark.usefixtures("at_once")
async def test_an_organization_that_moves_takes_its_keys_along(
    rest: httpx.AsyncClient, south: cells.Cell
) -> None:
    owner = await an_owner(cells.HOME, email=EMAIL)
    assert await count("directory_entries", cells.HOME) == 0
    assert await cells.note_keys_of(owner.id) == 2
    assert await cells.note_keys_of(owner.id) == 2
    assert await count("directory_entries", cells.HOME) == 2
    assert (await rest.get("/v2/me", headers=owner.headers)).status_code == 200
    await cells.place(owner.id, south)
    clear_credential_cache()
    gone = await rest.get("/v2/me", headers=owner.headers)
    assert gone.status_code == 401, "it is looked for in its cell, where nothing was copied to"
    asked = {"email": EMAIL, "password": PASSWORD, "env": "test"}
    assert (await rest.post("/v2/sessions", json=asked)).status_code == 401, (
        "what is left is no account"
    )


async def test_files_and_exports_are_those_of_the_cell(
    rest: httpx.AsyncClient, south: cells.Cell
) -> None:
    there = await an_owner(south)
    with cells.use_cell(south):
        number = await a_number(system_caller(there.id, "test"))
    new = {"filename": "nota.pdf", "mimeType": "application/pdf"}
    tickets = f"/numbers/{number.id}/media/tickets"
    ticket = await rest.post(tickets, json=new, headers=there.headers)
    path = urlsplit(ticket.json()["url"]).path

    taken = await rest.post(path, content=PDF, headers={"content-type": "application/octet-stream"})

    assert taken.status_code == 201, taken.text
    assert (await count("media_files", south), await count("media_files", cells.HOME)) == (1, 0)
    period = {"from": "2026-11-01", "to": "2026-11-28"}
    page = await rest.get("/v2/exports/whatsapp", params=period, headers=there.headers)
    assert page.json() == {"items": [], "nextCursor": None}


async def test_what_comes_slowly_is_stored_where_its_owner_lives_by_then(
    rest: httpx.AsyncClient, south: cells.Cell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rest_api.support.requests.SLOW_BODY_SECONDS", 0.0)
    owner = await an_owner(cells.HOME)
    number = await a_number(system_caller(owner.id, "test"))

    async def drips(body: bytes) -> AsyncIterator[bytes]:
        """In the middle of it the organization moves."""
        await cells.place(owner.id, cells.HOME)
        yield body[:10]
        await asyncio.sleep(0.01)
        await cells.place(owner.id, south)
        yield body[10:]

    octets = {"content-type": "application/octet-stream", "x-filename": "nota.pdf"}
    octets |= {"x-content-type": "application/pdf", **owner.headers}
    path = f"/numbers/{number.id}/media/binary"
    taken = await rest.post(path, content=drips(PDF), headers=octets)
    assert taken.status_code == 201, taken.text
    body = b'{"name": "Ana", "phone": "+5511987650001"}'
    made = await rest.post("/contacts", content=drips(body), headers=owner.headers)
    assert made.status_code == 201, made.text
    question = (
        b'{"query": "mutation { createContact(input: {phone: \\"+5511987650002\\"}) { id } }"}'
    )
    typed = {**owner.headers, "content-type": "application/json"}
    asked = await rest.post("/graphql", content=drips(question), headers=typed)
    assert "errors" not in asked.json(), asked.text
    for table, rows in (("media_files", 1), ("contacts", 2)):
        assert (await count(table, south), await count(table, cells.HOME)) == (rows, 0), table
