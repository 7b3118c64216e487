"""Recording who asked not to receive messages, by any of their identifiers."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated

from pydantic import Field, StringConstraints

from core.contacts.consent import ConsentChange, check_date, honours_dates
from core.contacts.consent_log import (
    ConsentLogEntry,
    denials_in_force,
    deny_addresses,
    lock_opt_outs,
    log_consent_changes,
)
from core.contacts.identifiers import Identifiers, emails_of, lock_identified, not_found
from core.contacts.identity import identity_of_email
from core.contacts.models import ALL_CHANNELS, OptInStatus, OptOutChannel
from core.contacts.record import OptOutOutcome
from core.contacts.write import ContactRow
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.database.rows import column
from core.foundation.database.transactions import transaction
from core.foundation.security.caller import Caller, Scope
from core.foundation.validation.inputs import UtcTime


class OptOut(Identifiers):
    """Whom not to write to: at least one identifier, at most 10,000 together. `em` counts for API
    keys alone.
    """

    channel: OptOutChannel = Field(
        default=ALL_CHANNELS, alias="canal", description="Which one is closed"
    )
    reason: Annotated[str, StringConstraints(max_length=200)] | None = Field(
        default=None, alias="motivo", description="Why the person closes it, in words of your own"
    )
    at: UtcTime | None = Field(
        default=None,
        alias="em",
        description="When the person asked for it; in a session it is now",
    )
    source: Annotated[str, StringConstraints(max_length=120)] | None = Field(
        default=None, alias="fonte", description="Where the person asked for it"
    )


async def opt_out(caller: Caller, request: OptOut) -> OptOutOutcome:
    """Record the request, once for each identifier.

    Phones and e-mails of nobody are kept too, so that they are never written to. Raises
    ConsentInTheFuture.
    """
    caller.require(Scope.CONTACTS_WRITE)
    at = now()
    informed = request.at if honours_dates(caller) else None
    check_date(informed, "/em", at=at)
    emails = request.addresses()
    async with transaction():
        await lock_opt_outs(caller, opting_out=True)
        found = await lock_identified(caller, request)
        strangers = request.identities(caller) - set(column(found, "identity"))
        # An address stays unwritten to whoever has it, also when its contact is erased or gets
        # another one.
        addresses = [
            *strangers,
            *(identity_of_email(caller.organization_id, email) for email in emails),
        ]
        await deny_addresses(
            caller,
            [
                (one, request.channel, request.reason, request.source, informed or at)
                for one in addresses
            ],
            at=at,
        )
        moved = await _deny(caller, request, found, informed=informed, at=at)
    return {
        "registrados": moved,
        "jaEstavam": len(found) - moved,
        **not_found(request, found),
        "suprimidosSemContato": len(strangers) + len(emails - emails_of(found)),
    }


async def _deny(
    caller: Caller,
    request: OptOut,
    found: Sequence[ContactRow],
    *,
    informed: datetime | None,
    at: datetime,
) -> int:
    """Deny the contacts that were not denied already, and tell how many these were."""
    denied_at = informed or at
    everywhere = request.channel == ALL_CHANNELS
    in_force = await denials_in_force(caller, column(found, "identity"))
    moved = [
        row
        for row in found
        if not any(
            one.channel in (request.channel, ALL_CHANNELS)
            for one in in_force.get(row["identity"], ())
        )
    ]
    if everywhere and moved:
        ids = column(moved, "id")
        await db.execute(
            DENY,
            caller.organization_id,
            caller.env,
            ids,
            denied_at,
            request.reason,
            request.source,
            at,
        )
    entries = [
        ConsentLogEntry(
            row,
            ConsentChange(
                OptInStatus(row["opt_in_status"]),
                OptInStatus.DENIED,
                denied_at,
                informed is not None,
            ),
            request.channel,
            request.reason,
            request.source,
        )
        for row in moved
    ]
    await log_consent_changes(caller, entries, at=at)
    return len(moved)


DENY = """/* whole */
UPDATE contacts
SET opt_in_status = 'denied', opt_in_revoked_at = $4, opt_in_revoked_reason = $5,
    opt_in_source = coalesce($6, opt_in_source), updated_at = greatest($7, updated_at + interval '1 microsecond')
WHERE organization_id = $1 AND env = $2 AND id = ANY ($3::text[])
"""
