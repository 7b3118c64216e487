"""Importing 10,000 contacts, against one bulk insert of the same rows per batch."""

import statistics
import time
from typing import Any

import orjson

from bench.kit.base import identities, phones
from bench.kit.house import House
from bench.kit.http import request_bytes
from bench.kit.load import load
from bench.kit.organizations import some_customers
from bench.kit.report import Goal, Report, Row
from core.foundation.database import db

LINES = 10_000
BATCH = 500

FLOOR = """
INSERT INTO contacts
    (id, organization_id, env, phone, identity, name, email, attributes, tags, opt_in_status, opt_in_source,
     opt_in_at, source, external_id, created_at, updated_at)
SELECT 'cnt_' || lpad(n::text, 21, '0'), $1::text, 'test', phone, identity, name, email, attributes, ARRAY['cliente'],
       'granted', 'loja', now(), 'import', external_id, now(), now()
FROM unnest($2::int[], $3::text[], $4::bytea[], $5::text[], $6::text[], $7::jsonb[], $8::text[])
    AS u (n, phone, identity, name, email, attributes, external_id)
"""


async def measure(house: House) -> Report:
    """Rounds of the bare inserts and of the operation, in turn, each into an empty table."""
    floor: list[float] = []
    service: list[float] = []
    async with house.database():
        [customer] = await some_customers(1)
        lines = [_line(place, phone) for place, phone in enumerate(phones(LINES))]
        headers = {"Authorization": f"Bearer {customer.key}", "Content-Type": "application/json"}
        request = request_bytes(
            "POST", "/contacts/import", headers, orjson.dumps({"contatos": lines})
        )
        hashes = identities(customer.organization_id, phones(LINES))
        with house.api() as api:
            api.wait_until_ready()
            for number in range(house.effort.rounds + 1):
                house.say(f"round {number} of {house.effort.rounds}" if number else "warming up")
                await _empty()
                floor.append(await _insert(customer.organization_id, lines, hashes))
                await _empty()
                answers = await load(api.port, [request], concurrency=1, status=200, keep=True)
                assert orjson.loads(answers.bodies[0])["criados"] == LINES
                service.append(answers.latencies[0])
    ratio = statistics.median(
        bare / ours for bare, ours in zip(floor[1:], service[1:], strict=True)
    )
    return Report(
        "contact_import",
        rows=[
            Row(
                name,
                {
                    "per second": LINES / statistics.median(times[1:]),
                    "ms": statistics.median(times[1:]) * 1000,
                },
            )
            for name, times in (("bulk inserts", floor), ("the import", service))
        ],
        goals=[Goal("speed against the bulk inserts", ratio, "at least", 1 / 3)],
        notes=[
            f"{LINES:,} new contacts with e-mail, tag, attributes, consent and externalId; batches of {BATCH}, both",
            "the import also validates, hashes, and writes the consent ledger, the audit trail and contact.created",
        ],
    )


def _line(place: int, phone: str) -> dict[str, Any]:
    return {
        "phone": phone,
        "name": f"Cliente {place}",
        "email": f"cliente{place}@example.com",
        "attributes": {"cidade": "Recife", "pedidos": place % 7},
        "tags": ["cliente"],
        "optIn": {"status": "granted", "source": "loja"},
        "externalId": f"crm-{place}",
    }


async def _insert(organization_id: str, lines: list[dict[str, Any]], hashes: list[bytes]) -> float:
    columns = [
        (
            place,
            line["phone"],
            hash,
            line["name"],
            line["email"],
            line["attributes"],
            line["externalId"],
        )
        for place, (line, hash) in enumerate(zip(lines, hashes, strict=True))
    ]
    started = time.perf_counter()
    for start in range(0, LINES, BATCH):
        await db.execute(FLOOR, organization_id, *db.columns(columns[start : start + BATCH], 7))
    return time.perf_counter() - started


async def _empty() -> None:
    await db.execute(
        "TRUNCATE contacts, contact_consents, audit_entries, webhook_events, contact_attributes"
    )
