"""Whom deals are made with: companies, people, and those of whom nothing is known yet."""

from bisect import bisect_right
from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter
from random import Random

from cli.seed.brazil.texts import SOMEBODY
from cli.seed.run import Run, chunks_of
from core.foundation.database import db

MAX_RECIPIENTS = 100_000
"""Of each kind; of more, every second, third … is asked."""
COMPANY_SHARE, PERSON_SHARE = 0.65, 0.28
SECOND_PERSON_SHARE = 0.3


@dataclass(frozen=True, slots=True)
class Customer:
    """A company with some of its people, or a person alone, or nobody in particular."""

    since: datetime | None = None
    name: str = ""
    company_id: str | None = None
    owner_id: str | None = None
    people: tuple[str, ...] = ()


class Customers:
    """Everybody whom deals can be made with."""

    def __init__(self, companies: list[Customer], people: list[Customer]) -> None:
        self._companies = sorted(companies, key=attrgetter("since", "company_id"))
        self._people = sorted(people, key=attrgetter("since", "people"))

    def pick(self, at: datetime, random: Random) -> Customer:
        """Somebody who was there at that time."""
        chance, place = random.random(), random.random()
        if chance < COMPANY_SHARE:
            return (
                _one_of(self._companies, at, place)
                or _one_of(self._people, at, place)
                or Customer()
            )
        return (
            _one_of(self._people, at, place) if chance < COMPANY_SHARE + PERSON_SHARE else None
        ) or Customer()


def _one_of(ordered: list[Customer], at: datetime, place: float) -> Customer | None:
    known = bisect_right(ordered, at, key=attrgetter("since"))
    return ordered[int(place * known)] if known else None


async def read_customers(run: Run) -> Customers:
    """Those whom this seed has written and who are still there."""
    companies = [
        Customer(
            row["created_at"],
            row["name"],
            row["id"],
            row["owner_id"],
            tuple([row["main_contact_id"]] if row["main_contact_id"] else [])
            + tuple(id for id in row["people"] if id != row["main_contact_id"]),
        )
        for row in await _read(run, COMPANIES, "emp", "companies")
    ]
    people = [
        Customer(row["created_at"], row["name"] or SOMEBODY, people=(row["id"],))
        for row in await _read(run, PEOPLE, "cnt", "contacts")
    ]
    return Customers(companies, people)


async def _read(run: Run, sql: str, prefix: str, part: str) -> list[db.Row]:
    count = run.counts.get(part, 0)
    step = -(-count // MAX_RECIPIENTS) or 1
    rows: list[db.Row] = []
    for chunk in chunks_of(count):
        rows += await db.fetch(sql, *run.owner, run.ids(prefix, part, chunk)[::step])
    return rows


COMPANIES = """
SELECT c.id, c.created_at, c.name, c.owner_id, c.main_contact_id, coalesce(p.people, '{}') AS people
FROM companies c
LEFT JOIN (SELECT company_id, (array_agg(id ORDER BY id))[1:3] AS people FROM contacts
           WHERE organization_id = $1 AND env = $2 AND company_id = ANY ($3::text[]) GROUP BY company_id) AS p
       ON p.company_id = c.id
WHERE c.organization_id = $1 AND c.env = $2 AND c.id = ANY ($3::text[])
"""

PEOPLE = """
SELECT id, split_part(name, ' ', 1) AS name, created_at FROM contacts
WHERE organization_id = $1 AND env = $2 AND id = ANY ($3::text[]) AND company_id IS NULL
"""
