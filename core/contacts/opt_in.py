"""Taking back opt-outs: the people who closed a channel and ask to be written to on it again."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated

from pydantic import Field, StringConstraints

from core.contacts.consent import ConsentChange, DenialInForce, check_date, honours_dates
from core.contacts.consent_log import (
    ConsentLogEntry,
    addresses_of,
    denials_in_force,
    lift_denials,
    lock_opt_outs,
    log_consent_changes,
)
from core.contacts.identifiers import SAMPLE, Identifiers, emails_of, lock_identified, not_found
from core.contacts.identity import identity_of_email
from core.contacts.models import ALL_CHANNELS, OptInStatus, OptOutChannel
from core.contacts.record import OptInOutcome
from core.contacts.write import ContactRow
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.database.rows import column
from core.foundation.database.transactions import transaction
from core.foundation.security.caller import Caller, Scope
from core.foundation.validation.inputs import UtcTime


class ChannelOptIn(Identifiers):
    """Who may be written to again on a channel: at least one identifier, at most 10,000 together."""

    channel: OptOutChannel = Field(
        alias="canal", description="Which one is opened; `todos` ends a denial of all"
    )
    source: Annotated[str, StringConstraints(min_length=1, max_length=120)] = Field(
        alias="fonte", description="Where the person asked for it"
    )
    at: UtcTime = Field(
        alias="em",
        description="When the person asked for it: later than the denial; in a session it is now",
    )


@dataclass(slots=True)
class GrantOutcomes:
    """The contacts by what a grant means to them."""

    lifted: list[ContactRow] = field(default_factory=list)
    denied_later: list[ContactRow] = field(default_factory=list)
    closed_everywhere: list[ContactRow] = field(default_factory=list)
    not_denied: list[ContactRow] = field(default_factory=list)


async def opt_in(caller: Caller, request: ChannelOptIn) -> OptInOutcome:
    """End the denials of one channel that are older than the request. Repeating it changes nothing.

    Raises ConsentInTheFuture.
    """
    caller.require(Scope.CONTACTS_WRITE)
    at = now()
    informed = honours_dates(caller)
    granted_at = request.at if informed else at
    check_date(granted_at, "/em", at=at)
    async with transaction():
        await lock_opt_outs(caller, opting_out=True)
        found = await lock_identified(caller, request)
        freed = await lift_denials(
            caller,
            [(one, request.channel, granted_at) for one in _strangers(caller, request, found)],
        )
        contacts = await _outcomes_of(caller, request.channel, found, granted_at=granted_at)
        await _open(
            caller,
            request,
            contacts.lifted,
            ConsentChange(OptInStatus.DENIED, OptInStatus.GRANTED, granted_at, informed),
        )
    return {
        "registrados": len(contacts.lifted),
        "naoEstavam": len(contacts.not_denied),
        "anterioresARevogacao": len(contacts.denied_later),
        "anteriores": column(contacts.denied_later[:SAMPLE], "id"),
        "fechadosParaTodos": len(contacts.closed_everywhere),
        **not_found(request, found),
        "liberadosSemContato": len(freed),
    }


def _strangers(caller: Caller, request: ChannelOptIn, found: Sequence[ContactRow]) -> set[bytes]:
    """The hashes of the phones and e-mail addresses of nobody."""
    emails = request.addresses() - emails_of(found)
    return (request.identities(caller) - set(column(found, "identity"))) | {
        identity_of_email(caller.organization_id, email) for email in emails
    }


async def _outcomes_of(
    caller: Caller, channel: str, found: Sequence[ContactRow], *, granted_at: datetime
) -> GrantOutcomes:
    addresses = {row["id"]: addresses_of(caller, row) for row in found}
    in_force = await denials_in_force(caller, [one for own in addresses.values() for one in own])
    contacts = GrantOutcomes()
    for row in found:
        denials = [denial for one in addresses[row["id"]] for denial in in_force.get(one, ())]
        _add_outcome(contacts, row, channel, denials, granted_at=granted_at)
    return contacts


def _add_outcome(
    contacts: GrantOutcomes,
    row: ContactRow,
    channel: str,
    denials: Sequence[DenialInForce],
    *,
    granted_at: datetime,
) -> None:
    of_channel = [denial.denied_at for denial in denials if denial.channel == channel]
    if of_channel and max(of_channel) >= granted_at:
        contacts.denied_later.append(row)
    elif of_channel:
        contacts.lifted.append(row)
    elif any(denial.channel == ALL_CHANNELS for denial in denials):
        contacts.closed_everywhere.append(row)
    else:
        contacts.not_denied.append(row)


async def _open(
    caller: Caller, request: ChannelOptIn, rows: Sequence[ContactRow], change: ConsentChange
) -> None:
    at = now()
    if request.channel == ALL_CHANNELS and rows:
        ids = column(rows, "id")
        await db.execute(
            GRANT, caller.organization_id, caller.env, ids, change.at, request.source, at
        )
    await log_consent_changes(
        caller,
        [ConsentLogEntry(row, change, request.channel, source=request.source) for row in rows],
        at=at,
    )


GRANT = """
UPDATE contacts
SET opt_in_status = 'granted', opt_in_at = $4, opt_in_source = $5, opt_in_revoked_at = NULL,
    opt_in_revoked_reason = NULL, updated_at = greatest($6, updated_at + interval '1 microsecond')
WHERE organization_id = $1 AND env = $2 AND id = ANY ($3::text[])
"""
