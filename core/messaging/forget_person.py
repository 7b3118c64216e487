"""Messages to and from a person who is erased: what was sent and what it cost stays."""

from collections.abc import Sequence

from core.foundation.channels import BY_EMAIL, in_sql, those
from core.foundation.database import db
from core.foundation.security.caller import Caller
from core.messaging.models import CONVERSATIONS

HOLD_OBJECTS = those(lambda facts: facts.holds_objects)


async def forget_person(caller: Caller, messages: Sequence[str], *, last_attempt: int) -> int:
    """Take the person out of locked messages and their reports; answers how many messages.

    `last_attempt`: what is being handed over at this moment is not tried again, since nothing is
    left of it.
    """
    scope = (caller.organization_id, caller.env, list(messages))
    await db.execute(SCRUB_REPORTS, *scope)
    return await db.execute(SCRUB, *scope, last_attempt)


# An e-mail address has no last digits. What was written to a person may stand in a subject. The
# platform's ids of messages hold the phone.
SCRUB = f"""
UPDATE messages SET
    recipient = CASE WHEN channel IN {in_sql(BY_EMAIL)} THEN '***' ELSE right(recipient, 4) END,
    subject = CASE WHEN subject IS NOT NULL THEN '' END,
    contact_id = NULL,
    content = CASE
        WHEN channel IN {in_sql(HOLD_OBJECTS)} THEN '{{}}'::jsonb
        WHEN direction = 'inbound' THEN '{{"text": ""}}'::jsonb END,
    template_vars = NULL,
    link_origin = NULL,
    provider_reference = CASE WHEN channel NOT IN {in_sql(CONVERSATIONS)} THEN provider_reference END,
    attempts = CASE WHEN channel IN {in_sql(CONVERSATIONS)} AND status = 'sending' THEN $4 ELSE attempts END,
    -- What an SMS in its stead would cost is still to be paid; its text does not leave any more.
    fallback = fallback - 'text',
    sealed_text = NULL,
    provider_receipt = (provider_receipt - 'message') || jsonb_build_object('to', right(provider_receipt ->> 'to', 4))
WHERE organization_id = $1 AND env = $2 AND id = ANY ($3)
"""

SCRUB_REPORTS = """
UPDATE message_receipts SET body = '{}' WHERE organization_id = $1 AND env = $2 AND message_id = ANY ($3)
"""
