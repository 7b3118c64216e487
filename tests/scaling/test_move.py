"""Moving an organization between two cells that run, as docs/scaling.md says: what goes on in the
new one, and how.
"""

import io
import re
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from tests.scaling.moving import moves_in
from tests.scaling.page import sql
from tests.support.books import Connection
from tests.support.customer import Customer
from tests.support.feed_reader import FeedReader
from tests.support.processes import Process
from tests.support.service import Api, Service
from tests.support.waiting import eventually

STAGES = [
    {"nome": "Aberto"},
    {"nome": "Ganho", "resultado": "ganho"},
    {"nome": "Perdido", "resultado": "perda"},
]
CLOSED = "INSERT INTO closed_hours (id, closed_until) VALUES (1, date_trunc('hour', now())) ON CONFLICT DO NOTHING"
"""As the worker begins, once in a while."""

FILE = b"item;valor\n1;2\n"
ORIGIN = re.compile(r"^https?://[^/]+")


class Cells:
    """The old cell and the new one: a database and a folder of files each."""

    def __init__(self, service: Service, folder: Path, *, database: str) -> None:
        self.service = service
        self.files = {"old": folder / "old", "new": folder / "new"}
        self.databases = {"old": service.environment["DATABASE_URL"], "new": database}

    async def api(self, cell: str) -> Api:
        """Start an API."""
        return await self.service.api(settings=self._settings(cell))

    async def worker(self, cell: str) -> Process:
        """Start a worker."""
        return await self.service.worker(settings=self._settings(cell))

    async def copy(self, organization_id: str) -> list[str]:
        """Copy rows and files into the new cell; answers the statements that remove the rows from
        the old one.
        """
        async with (
            _asking(self.databases["old"]) as old,
            _asking(self.databases["new"]) as new,
            old.transaction(isolation="repeatable_read"),
            new.transaction(),
        ):
            moves = moves_in(await old.fetch(sql("move").replace("ORGANIZATION", organization_id)))
            await old.execute(CLOSED)
            closed = await old.fetchval("SELECT closed_until FROM closed_hours")
            await new.execute(sql("first").replace("CLOSED_UNTIL", closed.isoformat()))
            assert await new.fetchval(sql("hours")) == closed
            await new.execute("SET LOCAL session_replication_role = replica")
            for copy in moves.copies:
                rows = io.BytesIO()
                await old.copy_from_query(copy.leaving, output=rows)
                rows.seek(0)
                await new.copy_to_table(copy.table, source=rows, columns=copy.names)
        kept, arriving = (self.files[cell] / "blobs" / organization_id for cell in ("old", "new"))
        shutil.copytree(kept, arriving)
        return moves.removals

    async def remove(self, removals: list[str]) -> None:
        """Remove the rows from the old cell."""
        async with _asking(self.databases["old"]) as old, old.transaction():
            await old.execute("SET LOCAL session_replication_role = replica")
            for removal in removals:
                await old.execute(removal)

    def _settings(self, cell: str) -> dict[str, str]:
        return {"DATABASE_URL": self.databases[cell], "SVC_DATA_DIR": str(self.files[cell])}


@asynccontextmanager
async def _asking(database: str) -> AsyncIterator[Connection]:
    connection: Connection = await asyncpg.connect(database)
    try:
        yield connection
    finally:
        await connection.close()


@pytest.fixture
async def cells(service: Service, tmp_path: Path) -> Cells:
    """Nothing runs yet; the new cell knows nobody of the old one."""
    return Cells(service, tmp_path, database=await service.another_database())


async def made(customer: Customer, path: str, body: dict[str, Any]) -> dict[str, Any]:
    answer = await customer.call("POST", path, body, headers={"Idempotency-Key": path})
    assert answer.status == 201, answer
    found: dict[str, Any] = answer.body
    return found


async def contacts_made(customer: Customer, *numbers: int) -> None:
    """So many events, one after the other: `contact.created`."""
    for number in numbers:
        answer = await customer.call(
            "POST", "/contacts", {"phone": f"+55119810{number:05}", "source": "api"}
        )
        assert answer.status == 201, answer


async def told(reader: FeedReader, count: int) -> list[str]:
    """The events `contact.created` of which the reader is told, as soon as there are so many."""

    async def are_told() -> bool:
        await reader.look()
        return len(of_contacts(reader)) >= count

    await eventually(are_told, lambda: f"{count} are told, not {len(of_contacts(reader))}")
    return of_contacts(reader)


def of_contacts(reader: FeedReader) -> list[str]:
    return [event["id"] for event in reader.told if event["type"] == "contact.created"]


async def a_link(customer: Customer) -> str:
    """The path of a short link in a message that was sent."""
    body = {
        "to": "+5511987650005",
        "body": "Veja https://example.com/1",
        "route": "premium",
        "trackLinks": True,
    }
    sent = await made(customer, "/v2/sms/messages", body)
    links = await customer.call("GET", f"/v2/links?messageId={sent['id']}")
    return ORIGIN.sub("", links.body["items"][0]["shortUrl"])


async def a_file(service: Service, customer: Customer) -> str:
    """The path of the list of a card's files, of which there is one."""
    pipeline = await made(customer, "/pipelines", {"nome": "Vendas", "etapas": STAGES})
    card = await made(customer, "/cards", {"titulo": "Renovação", "pipelineId": pipeline["id"]})
    path = f"/cards/{card['id']}/arquivos"
    headers = {
        "Authorization": f"Bearer {customer.credential.key}",
        "Content-Type": "application/octet-stream",
        "x-filename": "a.csv",
        "x-content-type": "text/csv",
    }
    async with service.http.post(customer.urls[0] + path, data=FILE, headers=headers) as answer:
        assert answer.status == 201, await answer.text()
    return path


async def opened(service: Service, address: str) -> tuple[int, str, bytes]:
    """What a browser gets that follows nothing: the status, where it is sent, the bytes."""
    async with service.http.get(address, allow_redirects=False) as answer:
        return answer.status, answer.headers.get("Location", ""), await answer.read()


async def test_cursors_files_and_links_of_a_moved_organization(cells: Cells) -> None:
    service = cells.service
    at_old, worker = await cells.api("old"), await cells.worker("old")
    neighbour, old = await service.new_customer(at_old), await service.new_customer(at_old)
    await contacts_made(neighbour, 0)
    link, files = await a_link(old), await a_file(service, old)
    reader = FeedReader(old)
    await contacts_made(old, *range(5))
    await told(reader, 5)
    halfway = reader.cursor
    await contacts_made(old, *range(5, 10))
    before = await told(reader, 10)
    await worker.kill()
    await contacts_made(old, 10, 11)  # which have no positions yet when the rows are copied

    removing = await cells.copy(old.credential.organization_id)
    worker = await cells.worker("old")  # which the page forbids: it gives the two their positions
    hasty = FeedReader(old, cursor=reader.cursor)
    waited = await told(hasty, 2)
    await worker.kill()
    await cells.remove(removing)
    at_new, _ = await cells.api("new"), await cells.worker("new")
    new = Customer(service.http, at_new.url, credential=old.credential)
    from_halfway, from_the_end = (
        FeedReader(new, cursor=halfway),
        FeedReader(new, cursor=reader.cursor),
    )
    hasty.customer = new
    await hasty.look()
    await contacts_made(new, 20, 21)

    later = await told(from_the_end, 4)
    assert later[:2] == waited
    assert await told(from_halfway, 9) == [*before[5:], *later]
    assert await told(hasty, 6) == [*waited, *later]
    assert [one.lost_cursors for one in (from_the_end, from_halfway, hasty)] == [0, 0, 1]

    (file,) = (await new.call("GET", files)).body["items"]
    assert await opened(service, ORIGIN.sub(at_new.url, file["url"])) == (200, "", FILE)
    assert (await opened(service, at_new.url + link))[:2] == (302, "https://example.com/1")
    assert (await opened(service, at_old.url + link))[0] == 404
    await eventually(lambda: is_unknown(old), "the old cell knows the key no longer")
    assert (await neighbour.call("GET", "/contacts")).body["total"] == 1


async def is_unknown(customer: Customer) -> bool:
    return (await customer.call("GET", "/contacts")).status == 401
