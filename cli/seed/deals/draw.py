"""Drawing deals: with whom, about what, worth how much, and how far they came."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from decimal import Decimal
from random import Random
from typing import Any, TypeVar

from cli.seed.deals.activities import PastActivity, draw_activities
from cli.seed.deals.customers import SECOND_PERSON_SHARE, Customer, Customers
from cli.seed.deals.journey import Stay, draw_journey
from cli.seed.deals.pipelines import PIPELINES, PastPipeline
from cli.seed.run import Run, came_at
from cli.seed.team import Member
from core.cards.models import CardStatus
from core.pipelines.models import Outcome

SINCE = timedelta(days=365)
DOLLAR_SHARE = 0.02
UNOWNED_SHARE = 0.25
"""Of those in the first stage."""
ORIGINS = (("manual", 60), ("api", 25), ("import", 15))
TAGS = (
    ("quente", 0.2),
    ("indicacao", 0.15),
    ("feira", 0.08),
    ("renovacao", 0.05),
    ("estrategico", 0.04),
)
ROLES = ("decisor", "financeiro", "operacao", None)
NOTES = (
    "Fechou com o fornecedor atual",
    "Pediu condições que não temos",
    "Projeto adiado",
    "Preço 15% acima",
)
STATUSES = {
    Outcome.OPEN: CardStatus.OPEN,
    Outcome.WON: CardStatus.WON,
    Outcome.LOST: CardStatus.LOST,
}


@dataclass(frozen=True, slots=True)
class PastDeal:
    """A deal on the pipeline of this place. `people`: ids of contacts with their roles, the
    principal one first.
    """

    pipeline: int
    title: str
    value: Decimal | None
    currency: str
    expected_on: date | None
    probability: int | None
    customer: Customer
    owner: Member | None
    people: list[tuple[str, str | None]]
    stays: list[Stay]
    note: str | None
    attributes: dict[str, Any]
    tags: list[str]
    origin: str
    numbered: bool
    activities: list[PastActivity] = field(default_factory=list)

    @property
    def plan(self) -> PastPipeline:
        """The pipeline that it lies on."""
        return PIPELINES[self.pipeline]

    @property
    def status(self) -> CardStatus:
        """Where it stands: what its stage stands for."""
        return STATUSES[self.plan.stages[self.stays[-1].stage].outcome]


def draw_deal(run: Run, share: float, customers: Customers, random: Random) -> PastDeal:
    """The deal that was opened when this share of all deals was."""
    begin = came_at(run, share, SINCE)
    pipeline = random.choices(range(len(PIPELINES)), [plan.share for plan in PIPELINES])[0]
    plan = PIPELINES[pipeline]
    customer = customers.pick(begin, random)
    owner = _owner_of(customer, run, random)
    stays = draw_journey(plan, begin, run.as_of, owner=owner, team=run.team, random=random)
    demanded = {key for stay in stays for key in plan.stages[stay.stage].required}
    last = stays[-1]
    closed_at = None if plan.stages[last.stage].outcome is Outcome.OPEN else last.at
    product = _one_of(plan.products, random)
    dated = closed_at or run.as_of + timedelta(days=-10 + 70 * random.random())
    note_needed = last.reason is not None and plan.reasons[last.reason].needs_note
    people = [(id, _one_of(ROLES, random)) for id in customer.people]
    return PastDeal(
        pipeline=pipeline,
        title=_title(product, customer),
        value=_value(plan, random) if _has_value(demanded, closed_at, random) else None,
        currency="USD" if random.random() < DOLLAR_SHARE else "BRL",
        expected_on=max(dated, begin).date() if _is_dated(demanded, random) else None,
        probability=_probability(closed_at, random),
        customer=customer,
        owner=None if _is_unowned(stays, demanded, random) else owner,
        people=people[: 2 if random.random() < SECOND_PERSON_SHARE else 1],
        stays=stays,
        note=_one_of(NOTES, random) if note_needed else None,
        attributes=_attributes(pipeline, product, random),
        tags=_tags(random),
        origin=_origin(random),
        numbered=random.random() < 0.3,
        activities=draw_activities(begin, closed_at, run.as_of, random),
    )


def _title(product: str, customer: Customer) -> str:
    return f"{product} - {customer.name}"[:160] if customer.name else product


def _tags(random: Random) -> list[str]:
    return [tag for tag, share in TAGS if random.random() < share]


def _value(plan: PastPipeline, random: Random) -> Decimal:
    cents = int(plan.typical * 100 * random.lognormvariate(0, 0.7))
    return Decimal(max(cents // 1_000 * 1_000, 1_000)).scaleb(-2)


def _owner_of(customer: Customer, run: Run, random: Random) -> Member:
    """Who looks after the customer already, or anybody of the team."""
    for member in run.team.members:
        if member.id == customer.owner_id:
            return member
    return run.team.pick(random)


def _has_value(demanded: set[str], closed_at: datetime | None, random: Random) -> bool:
    return "valor" in demanded or closed_at is not None or random.random() < 0.7


def _is_dated(demanded: set[str], random: Random) -> bool:
    return "dataPrevista" in demanded or random.random() < 0.5


def _probability(closed_at: datetime | None, random: Random) -> int | None:
    """Of some open deals somebody has said another one than the stage's."""
    if closed_at is None and random.random() < 0.12:
        return 5 * int(20 * random.random())
    return None


def _is_unowned(stays: Sequence[Stay], demanded: set[str], random: Random) -> bool:
    return len(stays) == 1 and not demanded and random.random() < UNOWNED_SHARE


def _attributes(pipeline: int, product: str, random: Random) -> dict[str, Any]:
    attributes: dict[str, Any] = {"produto": product}
    if pipeline:
        attributes["licencas"] = 1 + int(80 * random.random() ** 2)
    return attributes


def _origin(random: Random) -> str:
    origins = [origin for origin, _ in ORIGINS]
    shares = [share for _, share in ORIGINS]
    return random.choices(origins, shares)[0]


Choice = TypeVar("Choice")


def _one_of(choices: Sequence[Choice], random: Random) -> Choice:
    return choices[int(random.random() * len(choices))]
