"""Sending one notification to many devices: the queue is built at once, and drained later."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Literal, cast

from core import decisions, idempotency, quotes, segments, wallet
from core.decisions import KeepRefusals
from core.foundation import jobs
from core.foundation.clock import now, wire_time
from core.foundation.database import db
from core.foundation.database.tenancy import owned_by
from core.foundation.ids import new_id
from core.foundation.jobs import Job
from core.foundation.security.caller import Caller, Scope
from core.foundation.settings import current
from core.messaging import RecipientOptedOut, count_refused_send, count_send
from core.messaging.channel_package import Narrow
from core.push.announce import announce
from core.push.audience import (
    FROM,
    count_by_platform,
    opted_out_of,
    reachable,
    segment_narrow,
    tokens_narrow,
)
from core.push.by_quote import DevicePrice, price_by_quote
from core.push.inputs import Audience, NewPush, PushDraft
from core.push.models import DispatchStatus, Origin, Platform, PushDispatch, RateKind
from core.push.outcome_counts import COUNTED_AS
from core.push.quiet_window import deferred_to
from core.push.record import DispatchRecord, PushPreview, dispatch_record

KEY_ROUTE = "POST /v2/push/messages"


async def send_push(
    caller: Caller,
    new: NewPush,
    *,
    idempotency_key: str,
    origin: Literal["api", "composer", "automation"] | None = None,
) -> DispatchRecord:
    """Build the queue of a dispatch and set its price aside, once per key. Answers the record.

    `origin`: the dashboard's when a session asks, unless told. Raises PaymentRequired,
    NoSuchSegment, and the refusals of the key itself. (Interface: Endpoints, Push, POST
    /v2/push/messages.)
    """
    async with KeepRefusals(caller, COUNTED_AS):
        return await _send(caller, new, idempotency_key=idempotency_key, origin=origin)


async def _send(
    caller: Caller,
    new: NewPush,
    *,
    idempotency_key: str,
    origin: Literal["api", "composer", "automation"] | None,
) -> DispatchRecord:
    caller.require(Scope.PUSH_SEND)
    use = idempotency.key_use(
        caller, KEY_ROUTE, idempotency_key, new.model_dump(mode="json", exclude_unset=True)
    )
    from_ = (
        Origin(origin) if origin else Origin.COMPOSER if caller.kind == "session" else Origin.API
    )

    created: set[str] = set()

    async def effect() -> tuple[str, dict[str, Any], datetime]:
        record, due_at = await _create(caller, new, from_)
        created.add(record["id"])
        return record["id"], {**record}, due_at

    try:
        record = cast(DispatchRecord, await idempotency.once(use, effect))
    except Exception as refusal:
        count_refused_send(COUNTED_AS, caller.env, refusal)
        if isinstance(refusal, wallet.InsufficientBalance):
            owner = (caller.organization_id, caller.env)
            await wallet.warn_where_due(
                await wallet.lock_balances({owner}), refused={owner}, at=now()
            )
        raise
    count_send(COUNTED_AS, caller.env, record["status"] if record["id"] in created else "replayed")
    return record


async def preview_push(caller: Caller, draft: PushDraft) -> PushPreview:
    """How many devices it would reach and what it would cost; nothing is created and nothing
    charged.
    """
    caller.require(Scope.PUSH_SEND)
    reach = await count_by_platform(
        reachable(caller, await _narrow(caller, draft), platforms=draft.platforms)
    )
    unit = await unit_price(caller, draft.rate_kind)
    total = sum(reach.values())
    later = await deferred_to(caller, draft.rate_kind, at=now())
    record: PushPreview = {
        "reach": total,
        "breakdown": {
            "ios": reach.get(Platform.IOS, 0),
            "android": reach.get(Platform.ANDROID, 0),
            "web": reach.get(Platform.WEB, 0),
        },
        "rateKind": draft.rate_kind,
        "unitCoins": unit,
        "coins": total * unit,
        "charged": current().charges,
    }
    if later is not None:
        record["quietDeferredTo"] = wire_time(later)
    return record


async def unit_price(caller: Caller, kind: RateKind) -> int:
    """Coins for one device."""
    return await wallet.push_price(caller.organization_id, kind) if current().charges else 0


async def _narrow(caller: Caller, audience: Audience) -> Narrow:
    if audience.token_ids is not None:
        return tokens_narrow(audience.token_ids)
    return await segment_narrow(caller, audience.segment)


@dataclass(frozen=True, slots=True)
class _When:
    status: DispatchStatus
    due_at: datetime
    quiet_until: datetime | None = None


async def _when(caller: Caller, new: NewPush, *, at: datetime) -> _When:
    wanted = max(new.scheduled_at or at, at)
    if quiet_until := await deferred_to(caller, new.rate_kind, at=wanted):
        return _When(DispatchStatus.DEFERRED, quiet_until, quiet_until)
    return _When(DispatchStatus.SCHEDULED if wanted > at else DispatchStatus.QUEUED, wanted)


async def _create(caller: Caller, new: NewPush, origin: Origin) -> tuple[DispatchRecord, datetime]:
    at = now()
    id = new_id("psh")
    when = await _when(caller, new, at=at)
    price = await _price(caller, new, at=at)
    if new.segment is not None:
        await segments.keep_from_deletion(caller, new.segment)
    narrow = await _narrow(caller, new)
    reach = await _queue(caller, id, narrow, new, price)
    await hold(caller, id, reach * price.unit, price, at=at)
    await price.use_up(reach)
    actions = [action.model_dump(exclude_none=True) for action in new.actions or ()]
    created = await PushDispatch.create(
        id=id,
        **owned_by(caller),
        origin=origin,
        status=when.status,
        title=new.title,
        body=new.body,
        deep_link=new.deep_link,
        image_url=new.image_url,
        actions=actions or None,
        platforms=list(dict.fromkeys(new.platforms)),
        segment=new.segment,
        token_count=None if new.token_ids is None else len(new.token_ids),
        rate_kind=new.rate_kind,
        unit_coins=price.unit,
        quote_id=new.quote_id,
        scheduled_at=new.scheduled_at,
        quiet_deferred_to=when.quiet_until,
        due_at=when.due_at,
        reach=reach,
        open_count=reach,
        request_id=caller.request_id,
        created_at=at,
        updated_at=at,
    )
    await announce(caller.organization_id, caller.env, id)
    await _keep_skips(caller, id, narrow, new)
    if when.due_at <= at:
        await jobs.wake(Job.START_PUSH)
    return dispatch_record(vars(created)), when.due_at


async def _keep_skips(caller: Caller, id: str, narrow: Narrow, new: NewPush) -> None:
    """Keep whom it passes over because they asked not to be written to."""
    found = await opted_out_of(caller, narrow, platforms=new.platforms, most=decisions.MAX_SKIPS)
    skips = [
        decisions.Skip(RecipientOptedOut(), contact_id, identity) for contact_id, identity in found
    ]
    await decisions.keep_skips(caller, COUNTED_AS, skips, part_of=id)


async def _price(caller: Caller, new: NewPush, *, at: datetime) -> DevicePrice:
    unit = await unit_price(caller, new.rate_kind)
    if new.quote_id is None:
        return DevicePrice(unit)
    return await price_by_quote(caller, new.quote_id, new.rate_kind, present=unit, at=at)


async def _queue(caller: Caller, id: str, narrow: Narrow, new: NewPush, price: DevicePrice) -> int:
    """Write a row for each device, in one statement. Answers how many; raises InsufficientBalance,
    and QuoteExhausted where the quote promises fewer.

    No more rows are written than the balance pays for, and one that tells that it does not.
    """
    where = reachable(caller, narrow, platforms=new.platforms)
    available = await _available(caller) if price.unit and not price.prepaid else None
    paid = None if available is None else available // price.unit
    most = min((one for one in (paid, price.most) if one is not None), default=None)
    where.values += [id, None if most is None else most + 1]
    first, last = len(where.values) - 1, len(where.values)
    reach = await db.execute(
        f"INSERT INTO push_deliveries (organization_id, env, dispatch_id, device_id, platform) "
        f"SELECT d.organization_id, d.env, ${first}, d.id, d.platform FROM {FROM} WHERE {where} "
        f"LIMIT ${last}",
        *where.values,
    )
    if most is not None and reach > most:
        audience = await count_by_platform(reachable(caller, narrow, platforms=new.platforms))
        devices = sum(audience.values())
        if price.most is not None and devices > price.most:
            raise quotes.QuoteExhausted(price.most)
        assert available is not None, "nothing else limits it"
        raise wallet.InsufficientBalance(available=available, needed=devices * price.unit)
    return reach


async def _available(caller: Caller) -> int:
    found: int | None = await db.fetchval(
        "SELECT available FROM wallets WHERE organization_id = $1 AND env = $2",
        caller.organization_id,
        caller.env,
    )
    return found or 0


async def hold(caller: Caller, id: str, coins: int, price: DevicePrice, *, at: datetime) -> None:
    """Set the price of all devices aside, from what is held for the quote where it is. The wallet
    is locked from here on only, not while the queue is built.
    """
    if not coins:
        return
    owner = (caller.organization_id, caller.env)
    balance = (await wallet.lock_balances({owner})).get(owner)
    hold = wallet.hold(owner, id, coins, caller.request_id, price.quote_id)
    if price.prepaid:
        hold = replace(hold, source=wallet.Ledger.HELD)
    elif balance is None or balance.available < coins:
        raise wallet.InsufficientBalance(
            available=balance.available if balance else 0, needed=coins
        )
    moved = await wallet.book([hold], at=at)
    await wallet.warn(moved, at=at)
