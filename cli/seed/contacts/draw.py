"""Drawing contacts: people who came over the last two years, more of them lately."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random
from typing import Any, TypeVar

from cli.seed.audience import phone_of_contact
from cli.seed.brazil.documents import birth_date, cnpj, cpf
from cli.seed.brazil.people import email_of, full_name
from cli.seed.brazil.phones import phone
from cli.seed.brazil.places import Location
from cli.seed.contacts.consent import PastConsent, draw_consent
from cli.seed.run import Run, came_at
from core.contacts import Source

SINCE = timedelta(days=730)

SOURCES = ((Source.API, 40), (Source.IMPORT, 35), (Source.WEBHOOK, 15), (Source.MANUAL, 10))
TAGS = (
    ("cliente", 0.6), ("newsletter", 0.3), ("lead", 0.2), ("app", 0.25), ("recorrente", 0.15),
    ("vip", 0.06),
    ("inadimplente", 0.05), ("aniversariante-do-mes", 0.08), ("black-friday", 0.12),
    ("loja-fisica", 0.1),
)  # fmt: skip
PLANS = ("basico", "plus", "premium")
INTERESTS = (
    "moda",
    "casa",
    "beleza",
    "eletrônicos",
    "livros",
    "esporte",
    "pet",
    "viagem",
    "infantil",
    "mercado",
)
COMPANIES = ("Banco Exemplo", "Loja Exemplo", "Telefonia Exemplo", "Energia Exemplo")
DEBTS = ("em_dia", "em_atraso", "vencida")


@dataclass(frozen=True, slots=True)
class PastContact:
    """A contact; its documents in clear."""

    phone: str
    name: str | None
    profile_name: str | None
    email: str | None
    cpf: str | None
    cnpj: str | None
    birth_date: str | None
    attributes: dict[str, Any]
    debtor_groups: list[dict[str, Any]] | None
    tags: list[str]
    consent: PastConsent
    source: Source
    external_id: str | None
    external_ids: dict[str, str] | None
    last_interaction_at: datetime | None
    created_at: datetime

    @property
    def updated_at(self) -> datetime:
        """When something was last written."""
        moments = (self.created_at, self.consent.revoked_at, self.last_interaction_at)
        return max(moment for moment in moments if moment)


def draw_contact(run: Run, place: int, count: int, random: Random) -> PastContact:
    """The contact at this place of `count`."""
    number, home = phone(phone_of_contact(run, place), run.caller.env)
    source = random.choices([one for one, _ in SOURCES], [share for _, share in SOURCES])[0]
    created_at = came_at(run, (place + random.random()) / count, SINCE)
    name = full_name(random) if random.random() < 0.93 else None
    full = name or full_name(random)
    return PastContact(
        phone=number,
        name=name,
        profile_name=_profile_name(full, source, random),
        email=_sometimes(0.65, random, lambda: email_of(full, random)),
        cpf=_sometimes(0.55, random, lambda: cpf(random)),
        cnpj=_sometimes(0.03, random, lambda: cnpj(random)),
        birth_date=_sometimes(0.45, random, lambda: birth_date(random, run.as_of.date())),
        attributes=_attributes(home, random),
        debtor_groups=_sometimes(0.04, random, lambda: [_debt(number, place, random)]),
        tags=[tag for tag, share in TAGS if random.random() < share],
        consent=draw_consent(created_at, run.as_of, random),
        source=source,
        external_id=_sometimes(0.7, random, lambda: f"{run.seed}{place:07}"),
        external_ids=_sometimes(0.15, random, lambda: {"integration_a": f"A-{place:07}"}),
        last_interaction_at=_sometimes(
            0.38, random, lambda: _lately(created_at, run.as_of, random)
        ),
        created_at=created_at,
    )


Drawn = TypeVar("Drawn")


def _sometimes(share: float, random: Random, draw: Callable[[], Drawn]) -> Drawn | None:
    """What is drawn, in this share of all cases."""
    return draw() if random.random() < share else None


def _profile_name(full: str, source: Source, random: Random) -> str | None:
    """What the platform calls most of those who wrote first."""
    return full.split(maxsplit=1)[0] if source is Source.WEBHOOK and random.random() < 0.8 else None


def _lately(begin: datetime, end: datetime, random: Random) -> datetime:
    return end - random.random() ** 2 * (end - begin)


def _attributes(home: Location, random: Random) -> dict[str, Any]:
    attributes: dict[str, Any] = {"cidade": home.city, "uf": home.state}
    if random.random() < 0.6:
        attributes["pontos"] = int(5_000 * random.random() ** 3)
    if random.random() < 0.4:
        attributes["plano"] = PLANS[int(random.random() ** 2 * len(PLANS))]
    if random.random() < 0.35:
        attributes["ticketMedio"] = round(30 + 600 * random.random() ** 3, 2)
    if random.random() < 0.3:
        first = int(random.random() * (len(INTERESTS) - 2))
        attributes["interesses"] = list(INTERESTS[first : first + 1 + int(random.random() * 3)])
    if random.random() < 0.25:
        attributes["aceitaCashback"] = random.random() < 0.7
    return attributes


def _debt(number: str, place: int, random: Random) -> dict[str, Any]:
    return {
        "id": f"grp_{place:07}",
        "company": COMPANIES[int(random.random() * len(COMPANIES))],
        "phones": [number],
        "amountCents": 1_000 + int(500_000 * random.random() ** 2),
        "status": DEBTS[int(random.random() * len(DEBTS))],
        "reference": f"CTR-{place:07}",
    }
