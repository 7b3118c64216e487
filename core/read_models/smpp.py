"""Accounts of SMPP, their binds and what waits for them, read field by field. An organization looks after
those of both environments at once; passwords are not among the fields.
"""

from collections.abc import Sequence

from core.foundation.database.where import Where
from core.foundation.security.caller import Caller, Scope
from core.read_models.query_compiler import (
    Arguments,
    Entity,
    Field,
    column,
    fields_of,
    wire_time_of,
)
from core.smpp.binds import narrow_binds
from core.smpp.outbox import OUTBOX, narrow_outbox
from core.smpp.record import SMPP_ACCOUNT as ACCOUNT_RECORD
from core.smpp.record import SMPP_BIND as BIND_RECORD
from core.smpp.record import SMPP_DELIVERY as DELIVERY_RECORD
from core.smpp.record import SmppWaiting

# `env` is where the caller works, `opens` where the account sends.
ACCOUNTS = """
(SELECT id, organization_id, $2::text AS env, env AS opens, system_id, route, ips, max_binds, "window" AS window_size, throttle,
        charset, dedupe_seconds, receipts, receipt_ids, receipt_zone, long_replies, certificates, created_at, revoked_at
 FROM smpp_accounts)
"""
BINDS = """
(SELECT id, organization_id, $2::text AS env, env AS opens, account_id, mode, peer, process, submits, deliveries,
        window_used, opened_at, heard_at, ends_at, alive_until, opened_at AS created_at
 FROM smpp_binds)
"""
DELIVERIES = f"""
(SELECT id, organization_id, $2::text AS env, env AS opens, account_id, kind, status, message_id, attempts,
        created_at, due_at
 FROM ({OUTBOX}) AS waiting)
"""


OPEN_BINDS = "account_id = {p}.id AND ends_at IS NULL AND alive_until > now()"
"""The binds of an account: leases run by the real time."""
MAX_BINDS = 50
"""As many as an account may have."""

WAITING = """
(SELECT jsonb_build_object('waiting', count(*), 'oldestAt', min(o.created_at)) FROM (
    SELECT created_at FROM smpp_receipts
    WHERE account_id = {t}.id AND organization_id = {t}.organization_id AND due_at IS NOT NULL
    UNION ALL
    SELECT created_at FROM smpp_replies
    WHERE account_id = {t}.id AND organization_id = {t}.organization_id AND given_up_at IS NULL) AS o)
"""


def _waiting(told: SmppWaiting) -> SmppWaiting:
    oldest = told.get("oldestAt")
    return told if oldest is None else {**told, "oldestAt": wire_time_of(oldest)}


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
    fields={
        **fields_of(ACCOUNT_RECORD),
        "env": column("opens"),
        "outbox": Field(WAITING, make=_waiting),
    },
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
