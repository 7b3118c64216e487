"""Changing a contact."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, cast

import orjson

from core.contacts.attributes import MAX_ATTRIBUTES, remember_attributes
from core.contacts.company import hold_companies
from core.contacts.consent import Consent, DenialInForce, changed_consent, honours_dates
from core.contacts.consent_log import (
    ConsentLogEntry,
    addresses_of,
    denials_in_force,
    log_consent_changes,
)
from core.contacts.documents import DOCUMENT_COLUMNS, is_sealed_as, seal_document
from core.contacts.errors import NoSuchCompany, PhoneCannotChange, TooManyAfterMerge
from core.contacts.identity import phone_identity
from core.contacts.inputs import MAX_TAGS, ContactChanges
from core.contacts.models import OptInStatus
from core.contacts.record import CONTACT, ContactRecord
from core.contacts.register import (
    own_consent_change,
    set_consent,
    stored_external_ids,
    stored_groups,
)
from core.contacts.write import STORED_AS_SENT, ContactRow, lock_contacts, update_contacts
from core.foundation.clock import now
from core.foundation.database.pages import MICROSECOND
from core.foundation.database.rows import column
from core.foundation.database.transactions import transaction
from core.foundation.errors import NotFound
from core.foundation.ids import well_formed_id
from core.foundation.security.caller import Caller, Scope

PLAIN = STORED_AS_SENT - {"tags", "attributes", "company_id", "company_role"}
"""Columns that a change replaces by what is sent."""


async def change_contact(caller: Caller, id: str, changes: ContactChanges) -> ContactRecord:
    """Change what was sent of a contact and answer its record; `updatedAt` moves only when
    something became different.

    Raises NotFound, PhoneCannotChange, ExternalIdTaken, ConsentInTheFuture,
    ConsentBeforeRevocation, ConsentCannotBeForgotten, NoSuchCompany and TooManyAfterMerge.
    """
    caller.require(Scope.CONTACTS_WRITE)
    well_formed_id("cnt", id)
    at = now()
    async with transaction():
        companies = await hold_companies(caller, [changes.company_id])
        locked = await lock_contacts(caller, ids=[id])
        if not locked:
            raise NotFound
        if changes.company_id is not None and changes.company_id not in companies:
            raise NoSuchCompany
        stored = locked[0]
        in_force = await _denials_of(caller, stored, changes)
        after, entry = changed_row(caller, stored, changes, in_force=in_force, at=at)
        if after is not None:
            await write_changes(caller, [after], [entry] if entry else [], at=at)
    return CONTACT.make_for(caller, after or stored)


async def _denials_of(
    caller: Caller, stored: ContactRow, changes: ContactChanges
) -> list[DenialInForce]:
    """What a grant might take back; nobody else needs to know."""
    if changes.opt_in is None or changes.opt_in.status is not OptInStatus.GRANTED:
        return []
    found = await denials_in_force(caller, addresses_of(caller, stored))
    return [denial for denials in found.values() for denial in denials]


def changed_row(
    caller: Caller,
    stored: ContactRow,
    changes: ContactChanges,
    *,
    in_force: Sequence[DenialInForce] = (),
    at: datetime,
) -> tuple[ContactRow | None, ConsentLogEntry | None]:
    """What a locked row becomes, and the change of its consent; None when nothing is different.
    Raises as above.

    That the company exists is for the caller to see to. `in_force`: the denials that a grant may
    take back.
    """
    sent = changes.model_fields_set
    if changes.phone is not None and phone_identity(caller, changes.phone) != stored["identity"]:
        raise PhoneCannotChange
    columns = {
        **stored,
        **{name: getattr(changes, name) for name in PLAIN if name in sent},
        **_documents(stored, changes, sent),
        **_company(stored, changes, sent),
        "tags": _tags(stored["tags"], changes),
        "attributes": _attributes(stored["attributes"], changes),
    }
    after = cast("ContactRow", columns)
    if changes.external_ids is not None:
        after["external_ids"] = stored_external_ids(changes.external_ids)
    if changes.debtor_groups is not None:
        after["debtor_groups"] = stored_groups(changes.debtor_groups)
    change = None
    if changes.opt_in is not None:
        consent, change = changed_consent(
            _consent_of(stored), changes.opt_in, in_force, dates=honours_dates(caller), at=at
        )
        set_consent(after, consent)
    if change is None and after == stored and _same(after["attributes"], stored["attributes"]):
        return None, None
    # Whoever waited for another change comes behind it also for those who read by the time of
    # change.
    after["updated_at"] = max(at, stored["updated_at"] + MICROSECOND)
    return after, own_consent_change(after, change) if change else None


async def write_changes(
    caller: Caller, rows: Sequence[ContactRow], entries: Sequence[ConsentLogEntry], *, at: datetime
) -> None:
    """Write what `changed_row` made of rows that this transaction has locked. Raises
    ExternalIdTaken.
    """
    await update_contacts(caller, rows)
    await remember_attributes(caller, column(rows, "attributes"), at=at)
    await log_consent_changes(caller, entries, at=at)


def _documents(
    stored: ContactRow, changes: ContactChanges, sent: set[str]
) -> dict[str, str | None]:
    """Ciphers of the documents sent; the same document keeps its cipher, which would be different
    each time.
    """
    ciphers: dict[str, str | None] = {}
    kept: Mapping[str, Any] = stored
    for name, kept_in in DOCUMENT_COLUMNS.items():
        plain = getattr(changes, name)
        if name in sent and not is_sealed_as(stored["id"], kept_in, kept[kept_in], plain):
            ciphers[kept_in] = seal_document(stored["id"], kept_in, plain)
    return ciphers


def _company(stored: ContactRow, changes: ContactChanges, sent: set[str]) -> dict[str, str | None]:
    """The company and the role in it; who leaves a company loses the role, unless another is sent
    with it.
    """
    company_id = changes.company_id if "company_id" in sent else stored["company_id"]
    leaves = company_id is None and stored["company_id"] is not None
    kept = None if leaves else stored["company_role"]
    role = changes.company_role if "company_role" in sent else kept
    return {"company_id": company_id, "company_role": role}


def _tags(stored: Sequence[str], changes: ContactChanges) -> list[str]:
    tags = dict.fromkeys(
        [*(stored if changes.tags is None else changes.tags), *(changes.tags_to_add or ())]
    )
    left = [tag for tag in tags if tag not in (changes.tags_to_remove or ())]
    if len(left) > max(MAX_TAGS, len(stored)):
        raise TooManyAfterMerge("/tagsAdicionar")
    return left


def _attributes(stored: Mapping[str, object], changes: ContactChanges) -> dict[str, object]:
    merged = {
        **(stored if changes.attributes is None else changes.attributes),
        **(changes.attributes_to_merge or {}),
    }
    if len(merged) > max(MAX_ATTRIBUTES, len(stored)):
        raise TooManyAfterMerge("/attributesMesclar")
    return merged


def _same(one: Mapping[str, object], other: Mapping[str, object]) -> bool:
    """Python holds true for 1."""
    return orjson.dumps(one, option=orjson.OPT_SORT_KEYS) == orjson.dumps(
        other, option=orjson.OPT_SORT_KEYS
    )


def _consent_of(row: ContactRow) -> Consent:
    return Consent(
        OptInStatus(row["opt_in_status"]),
        row["opt_in_source"],
        row["opt_in_at"],
        row["opt_in_ip"],
        row["opt_in_user_agent"],
        row["opt_in_revoked_at"],
        row["opt_in_revoked_reason"],
    )
