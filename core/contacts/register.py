"""Inserting new contacts, any number at once, with consent, events and audit."""

from collections.abc import Sequence
from datetime import datetime
from typing import cast

from core import webhooks
from core.contacts.attributes import remember_attributes
from core.contacts.company import hold_companies
from core.contacts.consent import (
    Consent,
    ConsentChange,
    DenialInForce,
    check_dates,
    first_consent,
    honours_dates,
)
from core.contacts.consent_log import (
    ConsentLogEntry,
    addresses_of,
    denials_in_force,
    lock_opt_outs,
    log_consent_changes,
)
from core.contacts.documents import seal_document
from core.contacts.errors import NoSuchCompany
from core.contacts.identity import phone_identity
from core.contacts.inputs import DebtorGroup, ExternalIds, NewContact
from core.contacts.write import STORED_AS_SENT, ContactRow, insert_contacts
from core.foundation.absent import without_none
from core.foundation.database.rows import column
from core.foundation.ids import new_id
from core.foundation.security.caller import Caller


async def register(
    caller: Caller,
    news: Sequence[NewContact],
    *,
    at: datetime,
    silent: bool = False,
    skip_clashes: bool = False,
) -> list[ContactRow]:
    """Insert contacts with their consent log, events and audit, in the caller's transaction;
    answers the rows that are in.

    A taken phone or externalId refuses all, or, with `skip_clashes`, leaves out its own. `silent`:
    no contact.created. Raises PhoneAlreadyRegistered, ExternalIdTaken, ConsentInTheFuture and
    NoSuchCompany.
    """
    await lock_opt_outs(caller)
    await _hold_companies(caller, news)
    rows = [new_row(caller, new, at=at) for new in news]
    entries = await _first_consents(caller, rows, news)
    inserted = await insert_contacts(caller, rows, skip_clashes=skip_clashes)
    made = [row for row in rows if row["id"] in inserted]
    await remember_attributes(caller, column(made, "attributes"), at=at)
    await log_consent_changes(
        caller, [entry for entry in entries if entry.row["id"] in inserted], at=at
    )
    if not silent:
        await webhooks.publish_many([_created(caller, row, at=at) for row in made], at=at)
    return made


async def _hold_companies(caller: Caller, news: Sequence[NewContact]) -> None:
    """Lock the companies that new contacts name. Raises NoSuchCompany."""
    companies = await hold_companies(caller, (new.company_id for new in news))
    for new in news:
        if new.company_id is not None and new.company_id not in companies:
            raise NoSuchCompany


async def _first_consents(
    caller: Caller, rows: Sequence[ContactRow], news: Sequence[NewContact]
) -> list[ConsentLogEntry]:
    """Write the first consents into the rows; answers what changed."""
    addresses = [addresses_of(caller, row) for row in rows]
    denials = await denials_in_force(caller, [one for own in addresses for one in own])
    entries = []
    for row, new, own in zip(rows, news, addresses, strict=True):
        in_force = [denial for one in own for denial in denials.get(one, ())]
        if entry := _consent(caller, row, new, in_force):
            entries.append(entry)
    return entries


def new_row(caller: Caller, new: NewContact, *, at: datetime) -> ContactRow:
    """The row of a new contact that consented to nothing yet."""
    id = new_id("cnt")
    columns = {
        "id": id,
        "organization_id": caller.organization_id,
        "env": caller.env,
        "phone": new.phone,
        "identity": phone_identity(caller, new.phone),
        **{name: getattr(new, name) for name in STORED_AS_SENT},
        "whatsapp_profile_name": None,
        "cpf_cipher": seal_document(id, "cpf_cipher", new.cpf),
        "cnpj_cipher": seal_document(id, "cnpj_cipher", new.cnpj),
        "birth_date_cipher": seal_document(id, "birth_date_cipher", new.birth_date),
        "debtor_groups": stored_groups(new.debtor_groups),
        "external_ids": stored_external_ids(new.external_ids),
        "last_interaction_at": None,
        "created_at": at,
        "updated_at": at,
    }
    row = cast("ContactRow", columns)
    set_consent(row, Consent())
    return row


def check_new(caller: Caller, new: NewContact, *, at: datetime) -> None:
    """What can be told of a new contact before anything is looked up. Raises ConsentInTheFuture."""
    if new.opt_in is not None:
        check_dates(new.opt_in, dates=honours_dates(caller), at=at)


def stored_groups(groups: Sequence[DebtorGroup] | None) -> list[dict[str, object]] | None:
    """Debtor groups as they are stored and shown; none at all are None."""
    return (
        [group.model_dump(by_alias=True, exclude_none=True) for group in groups] if groups else None
    )


def stored_external_ids(ids: ExternalIds | None) -> dict[str, str] | None:
    """The ids in integrated systems; a contact that is in none has no such field."""
    return ids.model_dump(exclude_none=True) or None if ids else None


def set_consent(row: ContactRow, consent: Consent) -> None:
    """Write a consent into the row."""
    row["opt_in_status"] = consent.status
    row["opt_in_source"] = consent.source
    row["opt_in_at"] = consent.at
    row["opt_in_ip"] = consent.ip
    row["opt_in_user_agent"] = consent.user_agent
    row["opt_in_revoked_at"] = consent.revoked_at
    row["opt_in_revoked_reason"] = consent.revoked_reason


def own_consent_change(row: ContactRow, change: ConsentChange) -> ConsentLogEntry:
    """A change of the contact's own consent, which is for all channels, after it was written into
    the row.
    """
    return ConsentLogEntry(
        row, change, reason=row["opt_in_revoked_reason"], source=row["opt_in_source"]
    )


def _consent(
    caller: Caller, row: ContactRow, new: NewContact, in_force: Sequence[DenialInForce]
) -> ConsentLogEntry | None:
    """Write the first consent into the row; answers what changed."""
    consent, change = first_consent(
        new.opt_in, in_force, dates=honours_dates(caller), at=row["created_at"]
    )
    set_consent(row, consent)
    return own_consent_change(row, change) if change else None


def _created(caller: Caller, row: ContactRow, *, at: datetime) -> webhooks.NewEvent:
    data = {
        "id": row["id"],
        "env": row["env"],
        "source": row["source"],
        "externalId": row["external_id"],
        "tags": row["tags"],
        "optIn": {"status": row["opt_in_status"]},
    }
    shown = without_none(data)
    return webhooks.NewEvent(
        caller.organization_id, caller.env, "contact.created", shown, at, caller.request_id
    )
