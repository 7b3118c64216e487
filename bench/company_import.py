"""Importing 500 companies, half of them known already, against one bare upsert of the same rows."""

import statistics
import time
from typing import Any

import orjson

from bench.kit.house import House
from bench.kit.http import request_bytes
from bench.kit.load import load
from bench.kit.organizations import some_customers
from bench.kit.report import Goal, Report, Row
from cli.seed.brazil.companies import cnpj_number
from core.foundation.database import db

LINES = 500
KNOWN = LINES // 2
EACH_ROUND = 10
"""One import is over within a moment: a round is so many, in turn with as many upserts."""

FLOOR = """
INSERT INTO companies
    (id, organization_id, env, name, cnpj, sector, site, address, attributes, created_by_id, created_at, updated_at)
SELECT 'emp_' || lpad(n::text, 21, '0'), $1, 'test', name, cnpj, sector, site, address, attributes, 'acc_bench', now(),
    now()
FROM unnest($2::int[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::jsonb[])
    AS u (n, name, cnpj, sector, site, address, attributes)
ON CONFLICT (organization_id, env, cnpj) WHERE cnpj IS NOT NULL DO UPDATE SET
    name = excluded.name, sector = excluded.sector, site = excluded.site, address = excluded.address,
    attributes = excluded.attributes, updated_at = excluded.updated_at
"""


async def measure(house: House) -> Report:
    """Upserts and imports in turn, each of companies of which the first half is there with other
    data.
    """
    floor: list[float] = []
    service: list[float] = []
    async with house.database():
        [customer] = await some_customers(1)
        before, lines = (
            [_line(place, "Comércio") for place in range(KNOWN)],
            [_line(n, "Varejo") for n in range(LINES)],
        )
        headers = {"Authorization": f"Bearer {customer.key}", "Content-Type": "application/json"}
        request = request_bytes(
            "POST", "/v2/companies/import", headers, orjson.dumps({"empresas": lines})
        )
        with house.api() as api:
            api.wait_until_ready()
            for number in range(house.effort.rounds + 1):
                house.say(f"round {number} of {house.effort.rounds}" if number else "warming up")
                bare, ours = [], []
                for _ in range(EACH_ROUND):
                    await _begin_anew(customer.organization_id, before)
                    bare.append(await _upsert(customer.organization_id, lines))
                    await _begin_anew(customer.organization_id, before)
                    answers = await load(api.port, [request], concurrency=1, status=200, keep=True)
                    assert orjson.loads(answers.bodies[0]) == {
                        "criadas": LINES - KNOWN,
                        "atualizadas": KNOWN,
                        "erros": [],
                    }
                    ours.append(answers.latencies[0])
                floor.append(statistics.median(bare))
                service.append(statistics.median(ours))
    ratio = statistics.median(
        bare / ours for bare, ours in zip(floor[1:], service[1:], strict=True)
    )
    return Report(
        "company_import",
        rows=[
            Row(
                name,
                {
                    "per second": LINES / statistics.median(times[1:]),
                    "ms": statistics.median(times[1:]) * 1000,
                },
            )
            for name, times in (("bare upsert", floor), ("the import", service))
        ],
        goals=[Goal("speed against the bare upsert", ratio, "at least", 1 / 4)],
        notes=[
            f"{LINES} companies with CNPJ, sector, site, address and attributes; {KNOWN} are there with other data",
            "the import also reads and validates each line, and holds the companies that it changes",
        ],
    )


def _line(place: int, sector: str) -> dict[str, Any]:
    return {
        "nome": f"Empresa {place} Ltda",
        "cnpj": cnpj_number(place, letters=place % 8 == 0),
        "segmento": sector,
        "site": f"https://empresa{place}.example",
        "endereco": f"Rua das Flores, {place}, Recife/PE",
        "atributos": {"porte": "pequena", "funcionarios": place % 50},
    }


async def _begin_anew(organization_id: str, lines: list[dict[str, Any]]) -> None:
    await db.execute("TRUNCATE companies")
    await _upsert(organization_id, lines)


async def _upsert(organization_id: str, lines: list[dict[str, Any]]) -> float:
    rows = [(place, *line.values()) for place, line in enumerate(lines)]
    started = time.perf_counter()
    await db.execute(FLOOR, organization_id, *db.columns(rows, 7))
    return time.perf_counter() - started
