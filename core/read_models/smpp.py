"""Accounts of SMPP, their binds and what waits for them, read field by field. An organization looks after
those of both environments at once; passwords are not among the fields.
"""

from collections.abc import Sequence

from core.foundation.database.where import Where
from core.foundation.security.caller import Caller, Scope
from core.read_models.query_compiler import Arguments, Entity, column, fields_of
from core.smpp.binds import narrow_binds
from core.smpp.outbox import OUTBOX, narrow_outbox
from core.smpp.record import SMPP_ACCOUNT as ACCOUNT_RECORD
from core.smpp.record import SMPP_BIND as BIND_RECORD
from core.smpp.record import SMPP_DELIVERY as DELIVERY_RECORD

# `env` is where the caller works, `opens` where the account sends.
ACCOUNTS = """
(SELECT id, organization_id, $2::text AS env, env AS opens, system_id, route, ips, max_binds, "window" AS window_size, throttle,
        charset, created_at, revoked_at
 FROM smpp_accounts)
"""
BINDS = """
(SELECT id, organization_id, $2::text AS env, env AS opens, account_id, mode, peer, process, submits, deliveries,
        opened_at, heard_at, ends_at, alive_until, opened_at AS created_at
 FROM smpp_binds)
"""
DELIVERIES = f"""
(SELECT id, organization_id, $2::text AS env, env AS opens, account_id, kind, status, message_id, attempts,
        created_at, due_at
 FROM ({OUTBOX}) AS waiting)
"""


def _narrow_accounts(where: Where, caller: Caller, filter: Arguments) -> Sequence[str]:
    if filter.get("env") is not None:
        where.narrow("opens = {}", filter["env"])
    return ()


def _narrow_binds(where: Where, caller: Caller, filter: Arguments) -> Sequence[str]:
    narrow_binds(where, account_id=filter.get("accountId"))
    return ()


def _narrow_outbox(where: Where, caller: Caller, filter: Arguments) -> Sequence[str]:
    narrow_outbox(where, account_id=filter.get("accountId"), status=filter.get("status"))
    return ()


SMPP_ACCOUNT = Entity(
    name="SmppAccount",
    table=ACCOUNTS,
    alias="sa",
    scope=Scope.KEYS_MANAGE,
    prefix="smp",
    fields={**fields_of(ACCOUNT_RECORD), "env": column("opens")},
    narrow=_narrow_accounts,
)

SMPP_BIND = Entity(
    name="SmppBind",
    table=BINDS,
    alias="sb",
    scope=Scope.KEYS_MANAGE,
    prefix="",
    fields={**fields_of(BIND_RECORD), "env": column("opens")},
    narrow=_narrow_binds,
)

SMPP_DELIVERY = Entity(
    name="SmppDelivery",
    table=DELIVERIES,
    alias="sd",
    scope=Scope.KEYS_MANAGE,
    prefix="",
    fields={**fields_of(DELIVERY_RECORD), "env": column("opens")},
    narrow=_narrow_outbox,
)
