"""The opt-outs of contacts: their denials in force, as the single read shows them."""

from collections.abc import Mapping, Sequence

from core.contacts.consent import DenialInForce
from core.contacts.consent_log import denials_in_force
from core.contacts.identity import identity_of_email
from core.contacts.models import ALL_CHANNELS, OptOutChannel
from core.contacts.record import OptOutRecord
from core.foundation.channels import those
from core.foundation.clock import wire_time
from core.foundation.database import db
from core.foundation.database.rows import column
from core.foundation.security.caller import Caller, Scope

BY_EMAIL = those(lambda facts: facts.opt_out and facts.address == "email")


async def opt_outs_of(caller: Caller, ids: Sequence[str]) -> Mapping[str, list[OptOutRecord]]:
    """The opt-outs of these contacts by their ids, oldest first, each channel once. Raises
    Forbidden.
    """
    caller.require(Scope.CONTACTS_READ)
    rows = await db.fetch(ADDRESSES, caller.organization_id, caller.env, list(ids))
    return await opt_outs_at(caller, rows)


async def opt_outs_at(caller: Caller, rows: Sequence[db.Row]) -> dict[str, list[OptOutRecord]]:
    """The same of rows with `id`, `identity` and `email` that were read already."""
    emails = {row["id"]: _identity_of_email(caller, row["email"]) for row in rows}
    identities = column(rows, "identity") + [one for one in emails.values() if one is not None]
    in_force = await denials_in_force(caller, identities)
    return {
        row["id"]: opt_outs(
            in_force.get(row["identity"], ()), in_force.get(emails[row["id"]] or b"", ())
        )
        for row in rows
    }


def opt_outs(phone: Sequence[DenialInForce], email: Sequence[DenialInForce]) -> list[OptOutRecord]:
    """What the denials of a contact's phone close, and what those of its e-mail address close
    besides: the channels that write to it alone.
    """
    by_channel = {denial.channel: denial for denial in phone}
    for channel in () if ALL_CHANNELS in by_channel else BY_EMAIL:
        closing = [denial for denial in email if denial.channel in (channel, ALL_CHANNELS)]
        if closing and channel not in by_channel:
            by_channel[channel] = max(closing, key=lambda denial: denial.denied_at)
    oldest_first = sorted(by_channel.items(), key=lambda one: (one[1].denied_at, one[0]))
    return [_record(channel, denial) for channel, denial in oldest_first]


def _record(channel: str, denial: DenialInForce) -> OptOutRecord:
    record: OptOutRecord = {
        "canal": OptOutChannel(channel),
        "em": wire_time(denial.denied_at),
    }
    if denial.reason is not None:
        record["motivo"] = denial.reason
    if denial.source is not None:
        record["origem"] = denial.source
    return record


def _identity_of_email(caller: Caller, email: str | None) -> bytes | None:
    return None if email is None else identity_of_email(caller.organization_id, email)


ADDRESSES = """
SELECT id, identity, email FROM contacts WHERE organization_id = $1 AND env = $2 AND id = ANY ($3::text[])
"""
