"""Erasing a contact: everything that names the person goes, what was sent and what it cost stays."""

from core import audit, contacts, idempotency, lists, media, push
from core.conversations.queue.retry_policy import MAX_ATTEMPTS
from core.conversations.queue.withdraw import withdraw
from core.conversations.reasons import CANCELED, FailureReason
from core.foundation import files as file_store
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.foundation.errors import NotFound
from core.foundation.ids import is_id
from core.foundation.security.caller import Caller, Scope
from core.privacy.conversations_of import erase_answers, erase_notices, erase_windows
from core.privacy.deals_of import leave_deals
from core.privacy.messages_of import addresses_of, lock_messages_of


async def erase_contact(caller: Caller, id: str) -> None:
    """Erase a contact in one transaction. Raises NotFound.

    Its messages keep status, cost and dates, with the last four digits of the phone; those that
    wait to be sent are called off. The denials and the consent ledger keep the keyed hash of the
    phone, so that who said no stays unwritten to, also after a new import. What was published about
    it goes with the events, after 30 days at most. (LGPD, right of erasure.)
    """
    caller.require(Scope.CONTACTS_WRITE)
    at = now()
    if not is_id("cnt", id):
        raise NotFound
    async with transaction():
        await contacts.lock_opt_outs(caller)
        await lists.hold_members_apart_from_erasures(caller, erasing=True)
        # Companies before contacts, as everybody locks them.
        await db.execute(LOCK_COMPANIES, caller.organization_id, caller.env, id)
        locked = await contacts.lock_contacts(caller, ids=[id])
        if not locked:
            raise NotFound
        contact = locked[0]
        phone = contact["phone"]
        addresses = await addresses_of(caller, id, phone, contact["email"])
        rows = await lock_messages_of(caller, id, addresses)
        messages = [row["id"] for row in rows]
        # Windows before wallets, as everybody locks them.
        await erase_windows(caller, id, phone, rows)
        await withdraw(messages, reason=FailureReason.CANCELED, error=CANCELED, at=at)
        await erase_answers(caller, messages)
        await idempotency.forget_answers(caller, [id, *messages])
        await erase_notices(caller, addresses)
        files = await media.forget_media_of(caller, messages)
        scope = (caller.organization_id, caller.env)
        facts = {
            "messages": await db.execute(SCRUB_MESSAGES, *scope, messages, MAX_ATTEMPTS),
            "links": await db.execute(SCRUB_LINKS, *scope, messages),
            "customerEvents": await db.execute(UNLINK_EVENTS, *scope, id)
            + await db.execute(ERASE_EXTERNAL_ID, *scope, contact["external_id"]),
            "lists": await db.fetchval(LEAVE_LISTS, *scope, id),
            "devices": await push.remove_devices_of(caller, id),
            **await leave_deals(caller, id, at=at),
        }
        for statement in (SCRUB_RECEIPTS, SCRUB_SANDBOX_REPORTS, DELETE_FROM_OUTBOX):
            await db.execute(statement, *scope, messages)
        await db.execute(UNLINK_CONSENTS, *scope, id)
        await db.execute(
            "DELETE FROM contacts WHERE organization_id = $1 AND env = $2 AND id = $3", *scope, id
        )
        await audit.write_entry(caller, "contact.deleted", id, facts, at=at)
    await file_store.remove_now(files)


LOCK_COMPANIES = """
SELECT FROM companies WHERE organization_id = $1 AND env = $2 AND main_contact_id = $3 ORDER BY id FOR NO KEY UPDATE
"""

# An e-mail address has no last digits. What was written to a person may stand in a subject. The
# platform's ids of messages hold the phone. What is being handed over at this moment is not tried
# again: nothing is left of it.
SCRUB_MESSAGES = """
UPDATE messages SET
    recipient = CASE WHEN channel = 'email' THEN '***' ELSE right(recipient, 4) END,
    subject = CASE WHEN subject IS NOT NULL THEN '' END,
    contact_id = NULL,
    content = CASE
        WHEN channel IN ('rcs', 'whatsapp', 'instagram') THEN '{}'::jsonb
        WHEN direction = 'inbound' THEN '{"text": ""}'::jsonb END,
    template_vars = NULL,
    link_origin = NULL,
    provider_reference = CASE WHEN channel NOT IN ('whatsapp', 'instagram') THEN provider_reference END,
    attempts = CASE WHEN channel IN ('whatsapp', 'instagram') AND status = 'sending' THEN $4 ELSE attempts END,
    -- What an SMS in its stead would cost is still to be paid; its text does not leave any more.
    fallback = fallback - 'text',
    sealed_text = NULL,
    provider_receipt = (provider_receipt - 'message') || jsonb_build_object('to', right(provider_receipt ->> 'to', 4))
WHERE organization_id = $1 AND env = $2 AND id = ANY ($3)
"""

# A link may carry a token of the person. Its clicks stay counted; without an address it leads
# nowhere.
SCRUB_LINKS = "UPDATE short_links SET url = '' WHERE organization_id = $1 AND env = $2 AND message_id = ANY ($3)"

SCRUB_RECEIPTS = "UPDATE message_receipts SET body = '{}' WHERE organization_id = $1 AND env = $2 AND message_id = ANY ($3)"

SCRUB_SANDBOX_REPORTS = """
UPDATE sandbox_reports SET receipt = (receipt - 'message') || jsonb_build_object('to', right(receipt ->> 'to', 4))
WHERE organization_id = $1 AND env = $2 AND message_id = ANY ($3)
"""

# A letter that has not left yet does not leave any more: its message fails when it is due.
DELETE_FROM_OUTBOX = (
    "DELETE FROM email_letters WHERE organization_id = $1 AND env = $2 AND message_id = ANY ($3)"
)

UNLINK_EVENTS = """
UPDATE customer_events SET contact_id = NULL, contact_external_id = NULL
WHERE organization_id = $1 AND env = $2 AND contact_id = $3
"""

# Events that were told before there was a contact. They bear the id that the caller knows the
# person by.
ERASE_EXTERNAL_ID = """
UPDATE customer_events SET contact_external_id = NULL
WHERE organization_id = $1 AND env = $2 AND contact_id IS NULL AND contact_external_id = $3
"""

LEAVE_LISTS = """
WITH gone AS (
    DELETE FROM contact_list_members WHERE organization_id = $1 AND env = $2 AND contact_id = $3 RETURNING list_id
), resized AS (
    UPDATE contact_lists SET size = size - 1 WHERE id IN (SELECT list_id FROM gone) RETURNING 1
)
SELECT count(*) FROM resized
"""

UNLINK_CONSENTS = """
UPDATE contact_consents SET contact_id = NULL, ip = NULL, user_agent = NULL
WHERE organization_id = $1 AND env = $2 AND contact_id = $3
"""
