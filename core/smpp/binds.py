"""Binds that are open in any process: counted against what their account may have, shown, and deleted
when their process has died.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Literal

from core import audit
from core.foundation import pubsub
from core.foundation.absent import existing
from core.foundation.clock import real_now
from core.foundation.database import db
from core.foundation.database.tenancy import owned_by
from core.foundation.database.transactions import transaction
from core.foundation.database.where import Where
from core.foundation.ids import new_id, well_formed_id
from core.foundation.records import WrittenPage, newest_records
from core.foundation.security.caller import Caller, Scope
from core.smpp.errors import NoSuchSmppBind
from core.smpp.inputs import SmppBindFilter
from core.smpp.models import SmppAccount, SmppBind
from core.smpp.record import SMPP_BIND, SmppBindPage
from core.smpp.sign_in import SmppClient

LEASE = timedelta(seconds=30)
"""How long a bind counts after its process has last said that it is there."""

Mode = Literal["transmitter", "receiver", "transceiver"]


async def open_bind(client: SmppClient, mode: Mode, *, peer: str, process: str) -> str | None:
    """The id of a bind that is open from now on; None where the account has as many as it may."""
    at = real_now()
    async with transaction():
        # One after the other: two processes must not both find the last place free.
        account = await SmppAccount.select_for_update().get(id=client.account.id)
        if (
            await SmppBind.filter(account_id=account.id, alive_until__gt=at).count()
            >= account.max_binds
        ):
            return None
        bind = await SmppBind.create(
            id=new_id("bnd"),
            **owned_by(client.caller),
            account_id=account.id,
            process=process,
            mode=mode,
            peer=peer[:64],
            opened_at=at,
            alive_until=at + LEASE,
        )
    await _announce([(bind.id, bind.organization_id, bind.account_id)])
    return bind.id


@dataclass(frozen=True, slots=True)
class BindUse:
    """What came and went by a bind so far, when its client was last heard of, and how much of its window is
    used.
    """

    id: str
    submits: int
    deliveries: int
    heard_at: datetime
    window_used: int


async def keep_binds(process: str, uses: Sequence[BindUse], *, at: datetime) -> None:
    """The binds of a process go on, used as it says; those of processes that have died are deleted."""
    rows = [(one.id, one.submits, one.deliveries, one.heard_at, one.window_used) for one in uses]
    await db.execute(NOTE_USES, *db.columns(rows, 5), process, at + LEASE)
    await _announce(await db.fetch(f"DELETE FROM smpp_binds WHERE alive_until <= $1 {TOLD}", at))


async def ended_binds(process: str) -> set[str]:
    """Those of a process that somebody has ended."""
    ended = await SmppBind.filter(process=process, ends_at__isnull=False)
    return {bind.id for bind in ended}


async def close_bind(id: str) -> None:
    """It is open no more."""
    await _announce(await db.fetch(f"DELETE FROM smpp_binds WHERE id = $1 {TOLD}", id))


async def _announce(binds: Iterable[Iterable[str]]) -> None:
    """Announce binds that were opened, or are open no more: in both environments, since an
    organization looks after its accounts of both at once.
    """
    await pubsub.publish(
        [
            pubsub.Notice(pubsub.Topic.SMPP_BIND, organization_id, env, id, {"account": account_id})
            for id, organization_id, account_id in binds
            for env in ("test", "live")
        ]
    )


TOLD = "RETURNING id, organization_id, account_id"


async def list_binds(caller: Caller, filter: SmppBindFilter) -> WrittenPage[SmppBindPage]:
    """A page of the binds of the caller's organization in both environments, newest first."""
    caller.require(Scope.KEYS_MANAGE)
    where = Where([caller.organization_id], ["organization_id = $1"])
    narrow_binds(where, account_id=filter.account_id)
    return await newest_records(caller, SMPP_BIND, "smpp_binds", where, filter, select=BINDS)


def narrow_binds(where: Where, *, account_id: str | None) -> None:
    """Those that are open now."""
    where.narrow("ends_at IS NULL AND alive_until > {}", real_now())
    where.narrow_given(("account_id = {}", account_id))


async def end_bind(caller: Caller, id: str) -> None:
    """Its client is unbound within two seconds; it may bind again. Raises NoSuchSmppBind."""
    caller.require(Scope.KEYS_MANAGE)
    at = real_now()
    async with transaction():
        found = SmppBind.filter(
            organization_id=caller.organization_id, ends_at=None, alive_until__gt=at
        )
        bind = existing(
            await found.select_for_update().get_or_none(
                id=well_formed_id("bnd", id, NoSuchSmppBind)
            ),
            NoSuchSmppBind,
        )
        bind.ends_at = at
        await bind.save(update_fields=["ends_at"])
        there = replace(caller, env=bind.env)
        facts = {"accountId": bind.account_id}
        await audit.write_entry(there, "smpp_bind.ended", bind.id, facts, at=at)


BINDS = "SELECT * FROM (SELECT *, opened_at AS created_at FROM smpp_binds) AS b"

NOTE_USES = """
WITH used AS (SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::timestamptz[], $5::smallint[])
    AS u (id, submits, deliveries, heard_at, window_used))
UPDATE smpp_binds b SET alive_until = $7, submits = coalesce(u.submits, b.submits),
    deliveries = coalesce(u.deliveries, b.deliveries), heard_at = coalesce(u.heard_at, b.heard_at),
    window_used = coalesce(u.window_used, b.window_used)
FROM smpp_binds o LEFT JOIN used u ON u.id = o.id
WHERE b.id = o.id AND b.process = $6
"""
