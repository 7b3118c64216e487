"""Erasing a contact: everything that names the person goes, what was sent and what it cost stays."""

from core import (
    audit,
    cards,
    companies,
    contacts,
    customer_events,
    decisions,
    email,
    idempotency,
    journeys,
    lists,
    media,
    messaging,
    push,
    short_links,
)
from core.conversations.forget_person import erase_answers, erase_notices, erase_windows
from core.conversations.queue.retry_policy import MAX_ATTEMPTS
from core.conversations.reasons import CANCELED, FailureReason
from core.foundation import files as file_store
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.database.rows import column
from core.foundation.database.transactions import transaction
from core.foundation.errors import NotFound
from core.foundation.ids import well_formed_id
from core.foundation.security.caller import Caller, Scope
from core.messaging.queue.withdraw import withdraw
from core.privacy.messages_of import addresses_of, lock_messages_of
from core.providers import sandbox


async def erase_contact(caller: Caller, id: str) -> None:
    """Erase a contact in one transaction. Raises NotFound.

    Its messages keep status, cost and dates, with the last four digits of the phone; those that
    wait to be sent are called off. The denials and the consent ledger keep the keyed hash of the
    phone, so that who said no stays unwritten to, also after a new import. What was published about
    it goes with the events, after 30 days at most. (LGPD, right of erasure.)
    """
    caller.require(Scope.CONTACTS_WRITE)
    at = now()
    well_formed_id("cnt", id)
    async with transaction():
        await contacts.lock_opt_outs(caller)
        await lists.hold_members_apart_from_erasures(caller, erasing=True)
        # Runs of journeys before what their steps change, as whoever moves them.
        await journeys.lock_runs_of(caller, id)
        # Companies before contacts, as everybody locks them.
        await companies.lock_companies_of(caller, id)
        locked = await contacts.lock_contacts(caller, ids=[id])
        if not locked:
            raise NotFound
        contact = locked[0]
        phone = contact["phone"]
        addresses = await addresses_of(caller, id, phone, contact["email"])
        rows = await lock_messages_of(caller, id, addresses)
        messages = column(rows, "id")
        # Windows before wallets, as everybody locks them.
        await erase_windows(caller, id, phone, rows)
        await withdraw(messages, reason=FailureReason.CANCELED, error=CANCELED, at=at)
        await erase_answers(caller, messages)
        devices = await push.remove_devices_of(caller, id, contact["external_id"], addresses)
        await idempotency.forget_answers(caller, [id, *messages, *devices])
        await erase_notices(caller, addresses)
        files = await media.forget_media_of(caller, messages)
        facts = {
            "messages": await messaging.forget_person(caller, messages, last_attempt=MAX_ATTEMPTS),
            "links": await short_links.forget_urls(caller, messages),
            "customerEvents": await customer_events.forget_contact(
                caller, id, contact["external_id"]
            ),
            "lists": await lists.leave_lists(caller, id),
            "journeyRuns": await journeys.forget_contact(caller, id, at=at),
            "refusedSends": await decisions.forget_contact(
                caller, id, _identities_of(caller, contact)
            ),
            "devices": len(devices),
            **await cards.forget_contact(caller, id, at=at),
            "companies": await companies.forget_contact(caller, id, at=at),
        }
        await sandbox.forget_recipient(caller, messages)
        await email.discard_outgoing(caller, messages)
        await contacts.erase_row(caller, id)
        await audit.write_entry(caller, "contact.deleted", id, facts, at=at)
    await file_store.remove_now(files)


def _identities_of(caller: Caller, contact: db.Row) -> list[bytes]:
    """The keyed hashes of a contact's phone and e-mail."""
    if contact["email"] is None:
        return [contact["identity"]]
    return [
        contact["identity"],
        contacts.identity_of_email(caller.organization_id, contact["email"]),
    ]
