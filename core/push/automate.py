"""Sending one notification to the devices of contacts, for an automation: in its transaction."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from core.foundation import jobs
from core.foundation.database import db
from core.foundation.database.rows import column
from core.foundation.database.tenancy import owned_by
from core.foundation.database.transactions import transaction
from core.foundation.ids import new_id
from core.foundation.jobs import Job
from core.foundation.security.caller import Caller
from core.push.announce import announce
from core.push.audience import FROM, reachable
from core.push.by_quote import DevicePrice, price_by_quote
from core.push.models import DispatchStatus, Origin, Platform, PushDispatch, RateKind
from core.push.quiet_window import deferred_to
from core.push.send import hold, unit_price


@dataclass(frozen=True, slots=True)
class AutomatedPush:
    """What became of it: the dispatch, None where no device was reached, and the contacts that have
    one.
    """

    dispatch_id: str | None
    contact_ids: frozenset[str]


async def push_to_contacts(
    caller: Caller,
    contact_ids: Sequence[str],
    *,
    title: str,
    body: str,
    at: datetime,
    quote_id: str | None = None,
) -> AutomatedPush:
    """Build the queue of one dispatch to every device of these contacts that may be reached, and
    set its price aside; all or nothing of it. A quote prices it where it promises so many devices.
    Raises InsufficientBalance.
    """
    id = new_id("psh")
    until = await deferred_to(caller, RateKind.SIMPLE, at=at)
    async with transaction():
        rows = await _queue(caller, id, contact_ids)
        if not rows:
            return AutomatedPush(None, frozenset())
        price = await _price(caller, quote_id, len(rows), at=at)
        await hold(caller, id, len(rows) * price.unit, price, at=at)
        await price.use_up(len(rows))
        await PushDispatch.create(
            id=id,
            **owned_by(caller),
            origin=Origin.AUTOMATION,
            status=DispatchStatus.QUEUED if until is None else DispatchStatus.DEFERRED,
            title=title,
            body=body,
            platforms=list(Platform),
            token_count=len(rows),
            rate_kind=RateKind.SIMPLE,
            unit_coins=price.unit,
            quote_id=price.quote_id,
            quiet_deferred_to=until,
            due_at=until or at,
            reach=len(rows),
            open_count=len(rows),
            request_id=caller.request_id,
            created_at=at,
            updated_at=at,
        )
        await announce(caller.organization_id, caller.env, id)
    if until is None:
        await jobs.wake(Job.START_PUSH)
    return AutomatedPush(id, frozenset(column(rows, "contact_id")))


async def _price(
    caller: Caller, quote_id: str | None, devices: int, *, at: datetime
) -> DevicePrice:
    """Of the quote, where there is one that covers all devices; else the present one."""
    present = DevicePrice(await unit_price(caller, RateKind.SIMPLE))
    if quote_id is None:
        return present
    quoted = await price_by_quote(caller, quote_id, RateKind.SIMPLE, present=present.unit, at=at)
    return present if quoted.most is not None and devices > quoted.most else quoted


async def _queue(caller: Caller, id: str, contact_ids: Sequence[str]) -> Sequence[db.Row]:
    """Write a row for each device. Answers whose they are."""
    where = reachable(
        caller, lambda where: where.narrow("d.contact_id = ANY ({}::text[])", list(contact_ids))
    )
    where.values.append(id)
    return await db.fetch(
        f"""
        WITH reached AS MATERIALIZED (
            SELECT d.organization_id, d.env, d.id, d.platform, d.contact_id FROM {FROM} WHERE {where}
        ), queued AS (
            INSERT INTO push_deliveries (organization_id, env, dispatch_id, device_id, platform)
            SELECT organization_id, env, ${len(where.values)}, id, platform FROM reached
        )
        SELECT contact_id FROM reached
        """,
        *where.values,
    )
