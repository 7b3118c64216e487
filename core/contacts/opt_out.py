"""Recording who asked not to receive messages, by any of their identifiers."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints
from pydantic_core import PydanticCustomError

from core.contacts.consent import Move, check_date, honours_dates
from core.contacts.identity import identity_of_email, phone_identity
from core.contacts.inputs import Email
from core.contacts.ledger import Recorded, deny_addresses, hold_apart_from_opt_outs, record_moves, standing_denials
from core.contacts.models import ALL_CHANNELS, OptInStatus
from core.contacts.record import COLUMNS
from core.contacts.write import ContactRow
from core.foundation import db
from core.foundation.caller import Caller, Scope
from core.foundation.clock import now
from core.foundation.faults import across
from core.foundation.inputs import Input, Phone, UtcTime
from core.foundation.transactions import transaction

MOST_IDENTIFIERS = 10_000
SAMPLE = 100
"""Identifiers of each kind that are named when they belong to nobody."""

Ids = Annotated[list[str], Field(max_length=MOST_IDENTIFIERS)]


class OptOut(Input):
    """Whom not to write to: at least one identifier, at most 10,000 together. `em` counts for API keys alone."""

    phones: Annotated[list[Phone], Field(max_length=MOST_IDENTIFIERS)] = []
    contact_ids: Ids = []
    external_ids: Ids = []
    emails: Annotated[list[Email], Field(max_length=MOST_IDENTIFIERS)] = Field(default=[], validate_default=True)
    channel: Literal["todos", "sms", "rcs", "email", "whatsapp", "push"] = Field(default="todos", alias="canal")
    reason: Annotated[str, StringConstraints(max_length=200)] | None = Field(default=None, alias="motivo")
    at: UtcTime | None = Field(default=None, alias="em")
    source: Annotated[str, StringConstraints(max_length=120)] | None = Field(default=None, alias="fonte")

    @across("phones", "contact_ids", "external_ids", "emails")
    @staticmethod
    def _as_many_as_allowed(*identifiers: list[str]) -> None:
        named = sum(map(len, identifiers))
        if named == 0:
            raise PydanticCustomError("required", "Send at least one of phones, contactIds, externalIds and emails")
        if named > MOST_IDENTIFIERS:
            raise PydanticCustomError("too_many", "Send at most 10,000 identifiers in a call, and the rest in another")


async def opt_out(caller: Caller, wish: OptOut) -> dict[str, Any]:
    """Record the wish, once for each: `{registrados, jaEstavam, notFoundCount, notFound, suprimidosSemContato}`.

    Phones and e-mails of nobody are kept too, so that they are never written to. Raises ConsentInTheFuture.
    """
    caller.require(Scope.CONTACTS_WRITE)
    at = now()
    informed = wish.at if honours_dates(caller) else None
    check_date(informed, "/em", at=at)
    phones = {phone_identity(caller, phone) for phone in wish.phones}
    emails = {email.lower() for email in wish.emails}
    async with transaction():
        await hold_apart_from_opt_outs(caller, opting_out=True)
        found = await _lock_named(caller, wish, phones, emails)
        strangers = phones - {row["identity"] for row in found}
        # An address stays unwritten to whoever has it, also when its contact is erased or gets another one.
        addresses = [*strangers, *(identity_of_email(caller.organization_id, email) for email in emails)]
        await deny_addresses(
            caller, [(one, wish.channel, wish.reason, wish.source, informed or at) for one in addresses], at=at
        )
        moved = await _deny(caller, wish, found, informed=informed, at=at)
    missing = {
        "contactIds": _missing(wish.contact_ids, (row["id"] for row in found)),
        "externalIds": _missing(wish.external_ids, (row["external_id"] for row in found)),
    }
    return {
        "registrados": moved,
        "jaEstavam": len(found) - moved,
        "notFoundCount": sum(map(len, missing.values())),
        "notFound": {kind: ids[:SAMPLE] for kind, ids in missing.items()},
        "suprimidosSemContato": len(strangers) + len(emails - _emails_of(found)),
    }


async def _lock_named(caller: Caller, wish: OptOut, phones: Iterable[bytes], emails: Iterable[str]) -> list[ContactRow]:
    """Every contact that an identifier names, locked; an e-mail may name several."""
    rows = await db.fetch(
        NAMED, caller.organization_id, caller.env, wish.contact_ids, wish.external_ids, list(phones), list(emails)
    )
    return [dict(row) for row in rows]


async def _deny(
    caller: Caller, wish: OptOut, found: Sequence[ContactRow], *, informed: datetime | None, at: datetime
) -> int:
    """Deny the contacts that were not denied already, and tell how many these were."""
    denied_at = informed or at
    everywhere = wish.channel == ALL_CHANNELS
    standing = await standing_denials(caller, [row["identity"] for row in found])
    moved = [
        row
        for row in found
        if not any(one.channel in (wish.channel, ALL_CHANNELS) for one in standing.get(row["identity"], ()))
    ]
    if everywhere and moved:
        ids = [row["id"] for row in moved]
        await db.execute(DENY, caller.organization_id, caller.env, ids, denied_at, wish.reason, wish.source, at)
    moves = [
        Recorded(
            row,
            Move(OptInStatus(row["opt_in_status"]), OptInStatus.DENIED, denied_at, informed is not None),
            wish.channel,
            wish.reason,
            wish.source,
        )
        for row in moved
    ]
    await record_moves(caller, moves, at=at)
    return len(moved)


def _emails_of(rows: Sequence[ContactRow]) -> set[str]:
    return {row["email"].lower() for row in rows if row["email"] is not None}


def _missing(named: Sequence[str], found: Iterable[str | None]) -> list[str]:
    there = set(found)
    return [id for id in dict.fromkeys(named) if id not in there]


# One branch for each index; an OR over the four would scan.
NAMED = f"""
SELECT {COLUMNS}, identity FROM contacts WHERE organization_id = $1 AND env = $2 AND id IN (
    SELECT id FROM contacts WHERE organization_id = $1 AND env = $2 AND id = ANY ($3::text[])
    UNION
    SELECT id FROM contacts WHERE organization_id = $1 AND env = $2 AND external_id = ANY ($4::text[])
    UNION
    SELECT id FROM contacts WHERE organization_id = $1 AND env = $2 AND identity = ANY ($5::bytea[])
    UNION
    SELECT id FROM contacts WHERE organization_id = $1 AND env = $2 AND lower(email) = ANY (
        ARRAY(SELECT lower(e) FROM unnest($6::text[]) AS e)))
ORDER BY id FOR UPDATE
"""

DENY = """
UPDATE contacts
SET opt_in_status = 'denied', opt_in_revoked_at = $4, opt_in_revoked_reason = $5,
    opt_in_source = coalesce($6, opt_in_source), updated_at = greatest($7, updated_at + interval '1 microsecond')
WHERE organization_id = $1 AND env = $2 AND id = ANY ($3::text[])
"""
