"""The messages of one person: those of the contact, and those to or from its addresses."""

from core.foundation.channels import BY_EMAIL, in_sql, those
from core.foundation.database import db
from core.foundation.database.rows import column
from core.foundation.security.caller import Caller
from core.foundation.validation.phones import ninth_digit_variants


async def addresses_of(caller: Caller, contact_id: str, phone: str, email: str | None) -> list[str]:
    """Every form under which the person may stand in a message: phone, e-mail address in small
    e-mails, and the ids under which the contact was written to on channels that know it by none of
    both.
    """
    phones = list(ninth_digit_variants(phone)) if caller.unifies_ninth_digit else [phone]
    emails = [] if email is None else [email.lower()]
    rows = await db.fetch(BY_OTHER_IDS, caller.organization_id, caller.env, contact_id)
    return [*phones, *emails, *(column(rows, "recipient"))]


async def lock_messages_of(caller: Caller, contact_id: str, addresses: list[str]) -> list[db.Row]:
    """Their rows, held until the transaction ends; locked in the order in which receipts lock them.

    What still waits to be sent, or for the sandbox to report on it, is held before: whoever sends
    or reports locks it before the message.
    """
    person = (caller.organization_id, caller.env, contact_id, addresses)
    await db.execute(LOCK_WAITING, *person)
    await db.execute(LOCK_REPORTS, *person)
    return list(await db.fetch(LOCK, *person))


WITH_OTHER_IDS = those(lambda facts: facts.message and facts.address is None)

BY_OTHER_IDS = f"""
SELECT DISTINCT recipient FROM messages
WHERE organization_id = $1 AND env = $2 AND contact_id = $3 AND channel IN {in_sql(WITH_OTHER_IDS)}
"""

# Three branches, one per index; an OR over them would scan. Messages hold e-mail addresses as they
# were written.
MESSAGES_OF = f"""
    SELECT id FROM messages WHERE organization_id = $1 AND env = $2 AND contact_id = $3
    UNION
    SELECT id FROM messages WHERE organization_id = $1 AND env = $2 AND recipient = ANY ($4)
    UNION
    SELECT id FROM messages
    WHERE organization_id = $1 AND env = $2 AND channel IN {in_sql(BY_EMAIL)} AND lower(recipient) = ANY ($4)
"""

LOCK_WAITING = f"""
SELECT FROM waiting_messages WHERE organization_id = $1 AND message_id IN ({MESSAGES_OF})
ORDER BY message_id FOR UPDATE
"""

LOCK_REPORTS = f"""
SELECT FROM sandbox_reports WHERE organization_id = $1 AND message_id IN ({MESSAGES_OF})
ORDER BY message_id FOR UPDATE
"""

READ = f"""
SELECT id, channel, recipient, number_id, instagram_account_id FROM messages WHERE id IN ({MESSAGES_OF}) ORDER BY id
"""

LOCK = f"{READ} FOR UPDATE"
