"""Binds that are open in any process: counted against what their account may have, shown, and forgotten
when their process has died.
"""

from datetime import datetime, timedelta
from typing import Any, Literal

from core.foundation.clock import real_now, wire_time
from core.foundation.database.tenancy import owned_by
from core.foundation.database.transactions import transaction
from core.foundation.ids import new_id
from core.foundation.security.caller import Caller, Scope
from core.smpp.models import SmppAccount, SmppBind
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
    return bind.id


async def keep_binds(process: str, *, at: datetime) -> None:
    """The binds of a process go on; those of processes that have died are forgotten."""
    await SmppBind.filter(process=process).update(alive_until=at + LEASE)
    await SmppBind.filter(alive_until__lte=at).delete()


async def close_bind(id: str) -> None:
    """It is open no more."""
    await SmppBind.filter(id=id).delete()


async def list_binds(caller: Caller) -> dict[str, Any]:
    """The binds of the caller's organization in both environments, the oldest first: `{items}`."""
    caller.require(Scope.KEYS_MANAGE)
    found = SmppBind.filter(organization_id=caller.organization_id, alive_until__gt=real_now())
    return {"items": [_record(bind) for bind in await found.order_by("opened_at", "id")]}


def _record(bind: SmppBind) -> dict[str, Any]:
    return {
        "id": bind.id,
        "accountId": bind.account_id,
        "env": bind.env,
        "mode": bind.mode,
        "peer": bind.peer,
        "process": bind.process,
        "openedAt": wire_time(bind.opened_at),
    }
