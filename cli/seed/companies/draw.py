"""Drawing companies: who they are, and which of the contacts work there."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random
from typing import Any

from cli.seed.brazil.companies import FORMS, STREETS, TRADES, WORDS, cnpj_number
from cli.seed.brazil.people import last_name, plain
from cli.seed.brazil.places import CROWD
from cli.seed.run import Run, came_at
from core.contacts import CompanyRole

SINCE = timedelta(days=730)
SEED_STEP = 1_000_003
"""Each seed has CNPJs of its own."""

CNPJ_SHARE = 0.92
LETTERS_SHARE = 0.15
NOBODY_SHARE = 0.12
CROWDED = 0.8
"""How many of the contacts around a company may at most be its own."""
ROLES = (
    (CompanyRole.DECIDES, 30), (CompanyRole.FINANCE, 25), (CompanyRole.OPERATION, 30), (CompanyRole.OTHER, 15)
)  # fmt: skip
SIZES = (("micro", 1, 9), ("pequena", 10, 49), ("media", 50, 249), ("grande", 250, 4_000))


@dataclass(frozen=True, slots=True)
class PastCompany:
    """A company. `people`: the places of its contacts with their roles, the main one first."""

    name: str
    cnpj: str | None
    sector: str
    site: str | None
    address: str | None
    attributes: dict[str, Any]
    people: list[tuple[int, CompanyRole]]
    created_at: datetime


def draw_company(run: Run, place: int, count: int, random: Random) -> PastCompany:
    """The company at this place of `count`."""
    trade, sector = TRADES[int(random.random() * len(TRADES))]
    own = last_name(random) if random.random() < 0.7 else WORDS[int(random.random() * len(WORDS))]
    if random.random() < 0.25:
        own = f"{own} & {last_name(random)}"
    name = f"{trade} {own} {FORMS[int(random.random() * len(FORMS))]}"
    letters = random.random() < LETTERS_SHARE
    created_at = came_at(run, place / count, SINCE)
    return PastCompany(
        name=name,
        cnpj=cnpj_number(run.seed * SEED_STEP + place, letters=letters)
        if random.random() < CNPJ_SHARE
        else None,
        sector=sector,
        site=f"https://{_host(name)}.example" if random.random() < 0.6 else None,
        address=_address(random) if random.random() < 0.75 else None,
        attributes=_attributes(created_at, random),
        people=_people(place, count, run.counts.get("contacts", 0), random),
        created_at=created_at,
    )


def _host(name: str) -> str:
    return "-".join(word for word in plain(name).replace(".", "").replace("&", "e").split())


def _address(random: Random) -> str:
    home = CROWD[int(random.random() * len(CROWD))]
    street = STREETS[int(random.random() * len(STREETS))]
    return f"{street}, {1 + int(random.random() * 2_500)}, {home.city}/{home.state}"


def _attributes(created_at: datetime, random: Random) -> dict[str, Any]:
    size, least, most = SIZES[int(random.random() ** 2 * len(SIZES))]
    attributes: dict[str, Any] = {
        "porte": size,
        "funcionarios": least + int(random.random() * (most - least)),
    }
    if random.random() < 0.5:
        attributes["clienteDesde"] = (created_at + timedelta(days=1)).date().isoformat()
    if random.random() < 0.3:
        attributes["parceiro"] = random.random() < 0.5
    return attributes


def _people(place: int, count: int, contacts: int, random: Random) -> list[tuple[int, CompanyRole]]:
    """Some of the contacts that came at about the time of the company: these are no other
    company's.
    """
    first, last = place * contacts // count, (place + 1) * contacts // count
    if random.random() < NOBODY_SHARE:
        return []
    many = min(last - first, 1 + int(random.random() ** 1.5 * (last - first) * CROWDED))
    places = random.sample(range(first, last), many)
    roles = random.choices([role for role, _ in ROLES], [share for _, share in ROLES], k=many)
    return sorted(
        zip(places, roles, strict=True), key=lambda person: person[1] is not CompanyRole.DECIDES
    )
