"""The consent log: an entry for each change of consent, denials in force, audit, and who is told."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from core import audit, webhooks
from core.contacts.consent import ConsentChange, DenialInForce
from core.contacts.identity import identity_of_email
from core.contacts.models import ALL_CHANNELS, OptInStatus
from core.contacts.write import AddressesRow, ContactRow
from core.foundation.absent import without_none
from core.foundation.clock import wire_time
from core.foundation.database import db
from core.foundation.database.rows import column
from core.foundation.security.caller import Caller


@dataclass(frozen=True, slots=True)
class ConsentLogEntry:
    """A change of consent together with the contact as it is after it. `channel` is what a denial is for, or
    what a grant opens.
    """

    row: ContactRow
    change: ConsentChange
    channel: str = ALL_CHANNELS
    reason: str | None = None
    source: str | None = None


OptOutHook = Callable[[Caller, Sequence[ConsentLogEntry]], Awaitable[None]]

_on_opt_out: list[OptOutHook] = []


def on_opt_out(react: OptOutHook) -> OptOutHook:
    """Register what else a denial ends (messages that wait, journeys); called in the transaction of
    the denial.
    """
    _on_opt_out.append(react)
    return react


async def lock_opt_outs(caller: Caller, *, opting_out: bool = False) -> None:
    """Until the transaction ends, nobody opts out of the caller's messages while contacts are being
    created: each would miss the other's row. Take it before any lock on contacts.
    """
    shared = "" if opting_out else "_shared"
    await db.execute(
        f"SELECT pg_advisory_xact_lock{shared}(hashtextextended('opt-outs ' || $1 || $2, 0))",
        caller.organization_id,
        caller.env,
    )


def addresses_of(caller: Caller, row: AddressesRow) -> list[bytes]:
    """The hashes under which a contact may have been denied: of its phone and of its e-mail."""
    email = row["email"]
    return (
        [row["identity"]]
        if email is None
        else [row["identity"], identity_of_email(caller.organization_id, email)]
    )


async def denials_in_force(
    caller: Caller, identities: Sequence[bytes]
) -> dict[bytes, list[DenialInForce]]:
    """The denials in force under these hashes."""
    rows = await db.fetch(IN_FORCE, caller.organization_id, caller.env, list(identities))
    found: dict[bytes, list[DenialInForce]] = {}
    for row in rows:
        denial = DenialInForce(row["channel"], row["denied_at"], row["reason"], row["source"])
        found.setdefault(row["identity"], []).append(denial)
    return found


async def log_consent_changes(
    caller: Caller, recorded: Sequence[ConsentLogEntry], *, at: datetime
) -> None:
    """Write the log, keep the denials in step, audit, tell subscribers; in the transaction of
    the changes.
    """
    if not recorded:
        return
    await _write_log(caller, recorded, at=at)
    denied = [one for one in recorded if one.change.after is OptInStatus.DENIED]
    await deny_addresses(
        caller,
        [
            (one.row["identity"], one.channel, one.reason, one.source, one.change.at)
            for one in denied
        ],
        at=at,
    )
    granted = [one for one in recorded if one.change.after is OptInStatus.GRANTED]
    await lift_denials(
        caller,
        [
            (identity, one.channel, one.change.at)
            for one in granted
            for identity in addresses_of(caller, one.row)
        ],
    )
    await audit.write_entries(
        caller,
        "contact.consent_changed",
        [(one.row["id"], _audit_facts(one)) for one in recorded],
        at=at,
    )
    told = [one for one in denied if not one.change.inherited]
    await webhooks.publish_many([_opted_out(caller, one) for one in told], at=at)
    if denied:
        for react in _on_opt_out:
            await react(caller, denied)


Address = tuple[bytes, str, str | None, str | None, datetime]
"""Identity, channel, reason, source and date of a denial."""


async def deny_addresses(caller: Caller, addresses: Sequence[Address], *, at: datetime) -> None:
    """Put denials in force; one that stands already keeps its date and its reason."""
    if addresses:
        # In one order, so that two writers do not wait for each other in a circle.
        ordered = sorted(addresses, key=lambda address: address[:2])
        await db.execute(DENY, caller.organization_id, caller.env, at, *db.columns(ordered, 5))


async def lift_denials(caller: Caller, grants: Sequence[tuple[bytes, str, datetime]]) -> set[bytes]:
    """End what was denied before these grants (identity, channel, date), on the channel, or on
    every one. Answers the identities under which something ended.
    """
    rows = await db.fetch_for(
        grants, LIFT, caller.organization_id, caller.env, *db.columns(grants, 3)
    )
    return set(column(rows, "identity"))


async def _write_log(caller: Caller, recorded: Sequence[ConsentLogEntry], *, at: datetime) -> None:
    entries = [
        (
            one.row["id"],
            one.row["identity"],
            one.channel,
            one.change.after,
            one.source,
            one.change.at,
            one.change.informed,
            one.row["opt_in_ip"],
            one.row["opt_in_user_agent"],
            one.reason,
        )
        for one in recorded
    ]
    await db.execute(
        CONSENT_LOG,
        caller.organization_id,
        caller.env,
        caller.credential_id,
        caller.request_id,
        at,
        *db.columns(entries, 10),
    )


def _audit_facts(one: ConsentLogEntry) -> dict[str, object]:
    facts: dict[str, Any] = {
        "from": one.change.before,
        "to": one.change.after,
        "dataInformada": one.change.informed,
        "em": wire_time(one.change.at),
    }
    if one.channel != ALL_CHANNELS:
        facts["canal"] = one.channel
    if one.change.inherited:
        facts["herdada"] = True
    return facts


def _opted_out(caller: Caller, one: ConsentLogEntry) -> webhooks.NewEvent:
    data = {
        "id": one.row["id"],
        "env": caller.env,
        "phone": one.row["phone"],
        "channel": one.channel,
        "reason": one.reason,
        "source": one.source,
        "at": wire_time(one.change.at),
    }
    shown = without_none(data)
    return webhooks.NewEvent(
        caller.organization_id,
        caller.env,
        "contact.opted_out",
        shown,
        one.change.at,
        caller.request_id,
    )


IN_FORCE = """
SELECT identity, channel, denied_at, reason, source FROM contact_denials
WHERE organization_id = $1 AND env = $2 AND identity = ANY ($3::bytea[])
"""

DENY = """
INSERT INTO contact_denials (organization_id, env, identity, channel, reason, source, denied_at, created_at)
SELECT $1, $2, d.*, $3
FROM unnest($4::bytea[], $5::text[], $6::text[], $7::text[], $8::timestamptz[])
    AS d (identity, channel, reason, source, denied_at)
ON CONFLICT (organization_id, env, identity, channel) DO NOTHING
"""

LIFT = """
DELETE FROM contact_denials d
USING unnest($3::bytea[], $4::text[], $5::timestamptz[]) AS g (identity, channel, granted_at)
WHERE d.organization_id = $1 AND d.env = $2 AND d.identity = g.identity AND d.denied_at < g.granted_at
  AND g.channel IN (d.channel, 'todos')
RETURNING d.identity
"""

CONSENT_LOG = """
INSERT INTO contact_consents
    (organization_id, env, credential_id, request_id, created_at,
     contact_id, identity, channel, status, source, at, date_informed, ip, user_agent, reason)
SELECT $1, $2, $3, $4, $5, l.*
FROM unnest($6::text[], $7::bytea[], $8::text[], $9::text[], $10::text[], $11::timestamptz[], $12::bool[],
            $13::text[], $14::text[], $15::text[]) AS l
"""
