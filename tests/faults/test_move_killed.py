"""`svc org move` is killed at one step after the other while the organization sends: undone or repeated, nothing is
lost, and nothing told twice.
"""

import itertools
import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from cli.embedded.postgres import DATABASE
from core.cells.move.sides import side_of
from core.messaging import hours
from tests.support.books import (
    Connection,
    check_deliveries,
    check_messages,
    everything_is_settled,
    no_transaction_is_left_open,
)
from tests.support.customer import Customer, Load, under_load
from tests.support.feed_reader import FeedReader, reading
from tests.support.processes import Process, svc
from tests.support.receiver import Receiver
from tests.support.service import Service
from tests.support.waiting import eventually

pytestmark = pytest.mark.slow

STAGES = [
    {"nome": "Aberto"},
    {"nome": "Ganho", "resultado": "ganho"},
    {"nome": "Perdido", "resultado": "perda"},
]
FILE = b"item;valor\n1;2\n"
ORIGIN = re.compile(r"^https?://[^/]+")

SHORT_MEMORY = Path(__file__).parents[1] / "support" / "short_memory.py"


@dataclass
class Moves:
    """Moves of one organization, each a process of its own."""

    service: Service
    id: str
    source: str
    target: str
    _numbers: "itertools.count[int]" = field(default_factory=itertools.count)

    def begin(self, *words: str) -> Process:
        """Start one: `svc org move ID …`."""
        name = f"move-{next(self._numbers)}"
        process = Process(
            name,
            ["org", "move", self.id, *words, "--json"],
            environment=self.service.environment,
            log=self.service._log(name),
            script=SHORT_MEMORY,
        )
        self.service._processes.append(process)
        return process

    async def killed_at(self, step: str) -> None:
        """Begin, or go on, and kill it as soon as it says that it has come so far."""
        process = self.begin(self.target)

        def is_there() -> bool:
            here = any(line.startswith(step) for line in process.lines.splitlines())
            assert here or process.running, process.lines
            return here

        await eventually(is_there, lambda: f"{step}\n{process.lines}", every=0.003)
        await process.kill()

    async def ended(self, *words: str) -> dict[str, Any]:
        """Let one come to its end: what it answers."""
        process = self.begin(*words)
        assert await process.ended() == 0, process.lines
        answer: dict[str, Any] = json.loads(process.lines.splitlines()[-1])
        return answer

    async def told_by_doctor(self) -> tuple[bool, str]:
        """Whether `svc doctor` lets the moves pass, and what it says of them."""
        _, out, _ = await svc(["doctor", "--json"], environment=self.service.environment)
        (check,) = (one for one in json.loads(out)["checks"] if one["name"] == "moves")
        return check["ok"], check["detail"]


@pytest.fixture
async def south(service: Service) -> str:
    """The address of a second cell, in which nobody is yet: on Citus there is one, which customers leave."""
    if service.cell_url is not None:
        return service.cell_url
    name = f"south_{next(service.machines.names)}"
    service._copies.append(name)
    address = service.machines.postgres.create_database(name, template=DATABASE)
    await service.svc("cell", "add", "south", "--database-url", address)
    return address


PLAIN = "mover"
OWNED = f"""
DO $$
DECLARE
    one text;
BEGIN
    IF to_regrole('{PLAIN}') IS NULL THEN
        CREATE ROLE {PLAIN};
    END IF;
    ALTER SCHEMA public OWNER TO {PLAIN};
    FOR one IN SELECT format('ALTER TABLE %s OWNER TO {PLAIN}', oid::regclass) FROM pg_class
               WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
               UNION ALL SELECT format('ALTER ROUTINE %s OWNER TO {PLAIN}', oid::regprocedure) FROM pg_proc
               WHERE pronamespace = 'public'::regnamespace LOOP
        EXECUTE one;
    END LOOP;
    EXECUTE format('ALTER DATABASE %I SET role = {PLAIN}', current_database());
END $$
"""
"""Whoever connects is a role that owns the tables and may do nothing else."""
GRANT = f"GRANT SET ON PARAMETER session_replication_role TO {PLAIN}"
REVOKE = f"REVOKE SET ON PARAMETER session_replication_role FROM {PLAIN}"


async def refused_without_the_right(moves: Moves, customer: Customer, *cells: Connection) -> None:
    """A role that is no superuser needs one right, and is told so before anything is done."""
    for cell in cells:
        await cell.execute(OWNED)
    await cells[0].execute(REVOKE)
    refused = moves.begin("south")
    assert await refused.ended() == 1
    assert GRANT in refused.lines
    assert await cells[0].fetchval("SELECT count(*) FROM organization_moves") == 0
    assert (await customer.call("GET", "/v2/me")).status == 200
    await cells[0].execute(GRANT)


async def test_killed_at_each_step_it_is_undone_or_finished(
    service: Service, south: str, receiver: Receiver
) -> None:
    api = await service.api(script=SHORT_MEMORY)
    await service.worker(script=SHORT_MEMORY)
    customer = await service.new_customer(api)
    await customer.subscribe(receiver)
    names = ("main", "south") if service.cell is None else ("south", "main")
    moves = Moves(service, customer.credential.organization_id, *names)

    async with (
        side_of(service.environment["DATABASE_URL"]) as home,
        side_of(south) as other,
        reading(customer) as reader,
    ):
        left, there = (home, other) if service.cell is None else (other, home)
        if service.cell is None:  # on Citus roles are made at the coordinator
            for cell in (home, there):  # a worker begins with one of them a moment before the other
                await cell.schema.execute(hours.BEGIN)
            await refused_without_the_right(moves, customer, home.schema, there.schema)
        sent, link = await a_link(customer)
        files = await a_file(service, customer)
        async with under_load(customer, lanes=3) as load:
            load.accepted["link"] = sent
            await killed_at_each_step(
                moves, customer, Ends(home.schema, left.rows, there.rows), load
            )
        await finished(load, there.schema, receiver, reader)
    assert {status for status, _ in load.refused()} <= {503}
    assert not load.cut_off

    (file,) = (await customer.call("GET", files)).body["items"]
    assert await opened(service, ORIGIN.sub(api.url, file["url"])) == (200, "", FILE)
    assert (await opened(service, api.url + link))[:2] == (302, "https://example.com/1")


async def a_link(customer: Customer) -> tuple[dict[str, Any], str]:
    """A message that was sent, and the path of its short link."""
    body = {
        "to": "+5511987650005",
        "body": "Veja https://example.com/1",
        "route": "premium",
        "trackLinks": True,
    }
    sent = await customer.call(
        "POST", "/v2/sms/messages", body, headers={"Idempotency-Key": "link"}
    )
    assert sent.status == 201, sent
    links = await customer.call("GET", f"/v2/links?messageId={sent.body['id']}")
    return sent.body, ORIGIN.sub("", links.body["items"][0]["shortUrl"])


async def a_file(service: Service, customer: Customer) -> str:
    """The path of the list of a card's files, of which there is one."""
    pipeline = await customer.call("POST", "/pipelines", {"nome": "Vendas", "etapas": STAGES})
    card = await customer.call(
        "POST", "/cards", {"titulo": "Renovação", "pipelineId": pipeline.body["id"]}
    )
    path = f"/cards/{card.body['id']}/arquivos"
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


class Ends(NamedTuple):
    """Connections to the home, and to where the rows lie of the cell that is left and of the one that is
    entered.
    """

    home: Connection
    left: Connection
    entered: Connection


async def killed_at_each_step(moves: Moves, customer: Customer, ends: Ends, load: Load) -> None:
    await load.more(30)
    await moves.killed_at("messages:")  # between two tables
    passes, told = await moves.told_by_doctor()
    assert passes
    assert f"svc org move {moves.id} --undo` leaves it in {moves.source}" in told
    await load.more(5)
    assert (await moves.ended("--undo"))["step"] == "undone"
    assert await rows(ends.entered, moves.id) == 0
    await load.more(5)

    for step in ("catching_up", "draining", "closing"):
        await moves.killed_at(step)
        await load.more(5)  # it is let in again
    await switched(moves, customer, ends.home)
    await moves.killed_at("switched")
    await load.more(5)  # it lives in the other cell
    await removing(moves, ends, load)
    moved = await moves.ended(moves.target)
    assert (moved["step"], moved["from"], moved["to"]) == ("done", moves.source, moves.target)
    assert await moves.told_by_doctor() == (True, "none between cells was broken off")
    await load.more(10)
    assert await rows(ends.left, moves.id) == 0


async def switched(moves: Moves, customer: Customer, home: Connection) -> None:
    """It is killed after the last row and before the directory is told, where nobody undoes it: it stays
    shut out until somebody goes on.
    """
    async with home.transaction():
        await home.execute("LOCK TABLE organization_cells IN SHARE MODE")
        await moves.killed_at("opened")
        refused = await customer.send("0005", idempotency_key="while it is shut out")
        assert refused.status == 503, refused
        assert int(refused.headers["Retry-After"]) >= 1
        passes, told = await moves.told_by_doctor()
        assert not passes
        assert f"svc org move {moves.id} {moves.target}` goes on" in told
        assert "--undo" not in told
    refused = await customer.call("GET", "/v2/sms/messages?limit=1")
    assert refused.status == 200, "reads go on"
    undo = moves.begin("--undo")
    assert await undo.ended() == 1
    assert "repeat the move, which finishes it" in undo.lines


async def removing(moves: Moves, ends: Ends, load: Load) -> None:
    """It is killed while it removes the rows from the old cell: some are gone, others are there."""
    async with ends.left.transaction():
        await ends.left.execute(WHERE_CITUS_KEEPS_THEM)
        await ends.left.execute("LOCK TABLE ONLY organizations IN SHARE MODE")
        await moves.killed_at("removed messages")
    step = "SELECT step FROM organization_moves ORDER BY id DESC LIMIT 1"
    assert await ends.home.fetchval(step) == "removing"
    assert await rows(ends.left, moves.id) == 0
    left = "SELECT count(*) FROM organizations WHERE id = $1"
    assert await ends.left.fetchval(left, moves.id) == 1
    passes, told = await moves.told_by_doctor()
    assert passes
    assert f"svc org move {moves.id} {moves.target}` goes on" in told
    assert "--undo" not in told
    await load.more(5)


WHERE_CITUS_KEEPS_THEM = "SET LOCAL citus.enable_manual_changes_to_shards = on"
"""Else a shard is not locked by its name. Elsewhere nobody reads this."""


async def rows(cell: Connection, organization_id: str) -> int:
    """How many messages of it lie in a cell."""
    found: int = await cell.fetchval(
        "SELECT count(*) FROM messages WHERE organization_id = $1", organization_id
    )
    return found


async def finished(load: Load, there: Connection, receiver: Receiver, reader: FeedReader) -> None:
    """All that was accepted is in the new cell, paid, reported and told once; the reader of the feed, who
    read all the while, has what somebody reads who begins anew.
    """
    await eventually(lambda: there.fetchval(ALL_REPORTED), "every message is reported")
    await everything_is_settled(there)
    await check_messages(there, load.accepted)
    await check_deliveries(there, receiver)
    await no_transaction_is_left_open(there)
    arrived = [event["id"] for event in receiver.events()]
    assert len(arrived) == len(set(arrived)), "nothing is told twice"

    anew = FeedReader(reader.customer)
    await eventually(lambda: is_told(anew, there), "the feed is whole")
    await eventually(lambda: len(reader.told) >= len(anew.told), "the reader is told the rest")
    assert reader.ids == anew.ids
    assert len(set(reader.ids)) == len(reader.ids)
    assert reader.lost_cursors == 0


ALL_REPORTED = "SELECT NOT EXISTS (SELECT FROM messages WHERE status NOT IN ('delivered', 'failed', 'undelivered'))"


async def is_told(reader: FeedReader, there: Connection) -> bool:
    await reader.look()
    return bool(len(reader.told) == await there.fetchval("SELECT count(*) FROM webhook_events"))
