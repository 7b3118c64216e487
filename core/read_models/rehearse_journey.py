"""Use cases: what a journey would do to one contact, and to a sample of those who would enter."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

import asyncpg

from core import segments, wallet
from core.decisions import DecisionChannel, ExplanationRecord, SendQuestion, Verdict
from core.foundation.clock import now, wire_time
from core.foundation.database import db
from core.foundation.database.rows import column
from core.foundation.database.transactions import statements_within
from core.foundation.errors import (
    Forbidden,
    NotFound,
    ValidationFailed,
)
from core.foundation.ids import is_id
from core.foundation.security.caller import Caller, Scope
from core.foundation.settings import current
from core.foundation.validation.schedule import is_near
from core.journeys.models import JourneyChannel
from core.journeys.rehearsal import TheirEvent, Visit, rehearse
from core.journeys.rehearsal_inputs import RehearsalOfOne, RehearsalOfSample
from core.journeys.rehearsal_record import ForecastRecord, RehearsalRecord, RehearsedStep
from core.journeys.runs.batch import Result
from core.journeys.runs.program import PROGRAM, Program, ProgramStep, read_program
from core.journeys.runs.record import RESULT_OF, TrailResult
from core.journeys.ways import coins_of, segments_of
from core.messaging import NoSuchContact
from core.read_models.explain_send import WAYS, explain_send

NO_ADDRESS = "sem_canal"
CAME_LATELY = timedelta(days=30)
"""Who would enter by a customer event: those who did it within this time."""
COUNT_TIMEOUT = 3.0


async def rehearse_journey(caller: Caller, id: str, asked: RehearsalOfOne) -> RehearsalRecord:
    """One contact's way through a journey, step by step, with what would become of each message.
    Nothing of it is done. Raises NotFound, NoSuchContact and DryRunBusy.
    """
    caller.require(Scope.CAMPAIGNS_READ)
    program = await _program_of(caller, id)
    owner = (caller.organization_id, caller.env)
    if not await db.fetchval(KNOWN, *owner, asked.contact_id):
        raise NoSuchContact
    events = [TheirEvent(one.nome, one.em, one.properties) for one in asked.eventos]
    at = asked.em or now()
    visits = await rehearse(program, [asked.contact_id], at=at, events=events)
    visits.sort(key=lambda visit: (visit.at, visit.until))
    steps = [await _shown(caller, visit) for visit in visits]
    sent = Counter(
        visit.step.place
        for visit, shown in zip(visits, steps, strict=True)
        if visit.step.kind == "mensagem" and shown["resultado"] == TrailResult.WENT_ON
    )
    return {"passos": steps, "coins": await _price(caller, program, sent, at=at)}


async def forecast_journey(caller: Caller, id: str, asked: RehearsalOfSample) -> ForecastRecord:
    """How many would come to each step, what it would cost and when it would end, as a sample of
    those goes who would enter now. Raises NotFound, and what its segment refuses.
    """
    caller.require(Scope.CAMPAIGNS_READ)
    program = await _program_of(caller, id)
    at = now()
    audience, values = await _audience(caller, program, at=at)
    sample = await _sample(audience, values, asked.n)
    public = await _count(audience, values)
    visits = await rehearse(program, sample, at=at)
    scale = 1 if public is None or not sample else public / len(sample)
    came = Counter(visit.step.place for visit in visits)
    sent = Counter(
        visit.step.place
        for visit in visits
        if visit.step.kind == "mensagem" and visit.result is Result.WENT_ON
    )
    scaled = {place: round(count * scale) for place, count in sent.items()}
    forecast: ForecastRecord = {
        "amostra": len(sample),
        "passos": [
            {"passo": step.id, "pessoas": round(came[step.place] * scale)}
            for step in program.steps
            if step.id
        ],
        "coins": await _price(caller, program, scaled, at=at),
    }
    if public is not None:
        forecast["publico"] = public
    if visits:
        forecast["termino"] = wire_time(max(visit.until for visit in visits))
    return forecast


async def _program_of(caller: Caller, id: str) -> Program:
    owner = (caller.organization_id, caller.env)
    row = await db.fetchrow(PROGRAM, id) if is_id("jor", id) else None
    if row is None or (row["organization_id"], row["env"]) != owner:
        raise NotFound
    return read_program(row)


async def _shown(caller: Caller, visit: Visit) -> RehearsedStep:
    """A visit as the interface spells it, with the decision about its message."""
    shown: RehearsedStep = {
        "passo": visit.step.id,
        "em": wire_time(visit.at),
        "resultado": RESULT_OF[visit.result],
    }
    if visit.until > visit.at:
        shown["ate"] = wire_time(visit.until)
    if visit.way not in (None, "proximo"):
        shown["caminho"] = visit.way
    if visit.reason is not None:
        shown["motivo"] = visit.reason
    if visit.step.kind == "mensagem" and visit.result is Result.WENT_ON:
        await _explain(caller, visit, shown)
    return shown


async def _explain(caller: Caller, visit: Visit, shown: RehearsedStep) -> None:
    """Say whether the message could be sent; where it could not, the contact is passed over."""
    channel = DecisionChannel(visit.step.config["canal"])
    if channel not in WAYS or not is_near(visit.until):  # after long waits nothing is known
        return
    try:
        decision = await explain_send(caller, _question(visit, channel))
    except Forbidden:
        return
    except ValidationFailed as wrong:
        if any(error.where == "/contactId" for error in wrong.errors):
            shown["resultado"], shown["motivo"] = TrailResult.SKIPPED, NO_ADDRESS
        return
    shown["decisao"] = decision
    if decision["veredito"] == Verdict.REFUSED:
        shown["resultado"] = TrailResult.SKIPPED
        shown["motivo"] = _why(decision)


def _why(decision: ExplanationRecord) -> str:
    return decision.get("codigo") or str(decision.get("regra", ""))


def _question(visit: Visit, channel: DecisionChannel) -> SendQuestion:
    config = visit.step.config
    asked: dict[str, Any] = {
        "canal": channel,
        "contactId": visit.contact_id,
        "em": visit.until,
        "from": config.get("numberId"),
        "templateId": config.get("templateId"),
        "templateVars": config.get("variaveis") or None,
        "body": (config.get("texto") or "")[:1_600] or None,
    }
    if (field := WAYS[channel].route_in) is not None:
        asked[field] = channel.facts.journey_route
    told = {name: value for name, value in asked.items() if value is not None}
    return SendQuestion.model_validate(told)


async def _price(caller: Caller, program: Program, sent: Mapping[int, int], *, at: datetime) -> int:
    """What so many messages of each step cost, as prices are now."""
    if not current().charges:
        return 0
    prices = await wallet.price_sheet(caller.organization_id, at=at)
    return sum(_price_of(prices, program.steps[place], many) for place, many in sent.items())


def _price_of(prices: wallet.PriceSheet, step: ProgramStep, many: int) -> int:
    if not many:
        return 0
    channel = JourneyChannel(step.config["canal"])
    return coins_of(channel, many * segments_of(channel, step.config.get("texto")), prices)


async def _audience(caller: Caller, program: Program, *, at: datetime) -> tuple[str, list[Any]]:
    """The condition over `contacts c` of who would enter, and its values."""
    values: list[Any] = [caller.organization_id, caller.env]
    trigger = program.trigger
    owned = "c.organization_id = $1 AND c.env = $2"
    if (segment := trigger.get("segmentId")) is not None:
        condition = await segments.members_condition(caller, segment, values, at=at)
        return f"{owned} AND {condition or 'false'}", values
    if (list_id := trigger.get("listId")) is not None:
        values.append(list_id)
        return f"{owned} AND c.id IN ({ON_LIST})", values
    values += [trigger.get("nome"), at - CAME_LATELY]
    return f"{owned} AND c.id IN ({DID_IT})", values


async def _sample(audience: str, values: Sequence[Any], n: int) -> list[str]:
    """Some of them: ids are drawn by chance, so the first ones are as good as any. Where it takes
    too long to find the first, whoever is found.
    """
    found = f"SELECT c.id FROM contacts c WHERE {audience}"
    try:
        async with statements_within(COUNT_TIMEOUT):
            rows = await db.fetch(f"{found} ORDER BY c.id LIMIT {n}", *values)
    except asyncpg.QueryCanceledError:
        rows = await db.fetch(f"{found} LIMIT {n}", *values)
    return column(rows, "id")


async def _count(audience: str, values: Sequence[Any]) -> int | None:
    try:
        async with statements_within(COUNT_TIMEOUT):
            found: int = await db.fetchval(
                f"SELECT count(*) FROM contacts c WHERE {audience}", *values
            )
            return found
    except asyncpg.QueryCanceledError:
        return None


KNOWN = "SELECT true FROM contacts WHERE organization_id = $1 AND env = $2 AND id = $3"

ON_LIST = "SELECT m.contact_id FROM contact_list_members m WHERE m.list_id = $3"

DID_IT = """
SELECT e.contact_id FROM customer_events e
WHERE e.organization_id = $1 AND e.env = $2 AND e.name = $3 AND e.occurred_at >= $4 AND e.contact_id IS NOT NULL
"""
