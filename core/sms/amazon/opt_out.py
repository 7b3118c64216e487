"""A recipient who asked Amazon not to be written to: a denial of ours, so that nobody tries again."""

from collections.abc import Sequence

from core import contacts, organizations
from core.foundation.database import db
from core.messaging import PhoneVerdict, Settlement
from core.providers.contracts import Refused

REASON = "The recipient opted out at the provider"
MARKETING_ROUTE = "premium"
"""The route on which an opt-out counts; the others reach who opted out of it."""


async def note_opt_outs(settlements: Sequence[Settlement[PhoneVerdict]]) -> None:
    """Deny SMS for the recipients of (settled) messages whom the provider refused for that."""
    ids = [
        one.message_id
        for one in settlements
        if isinstance(one.verdict, Refused) and one.verdict.opted_out
    ]
    if not ids:
        return
    rows = await db.fetch(
        "SELECT organization_id, recipient, provider FROM messages "
        "WHERE id = ANY ($1) AND env = 'live' AND route = $2",
        ids,
        MARKETING_ROUTE,
    )
    for row in rows:
        caller = await organizations.service_caller(row["organization_id"], "live")
        asked = {
            "phones": [row["recipient"]],
            "canal": "sms",
            "motivo": REASON,
            "fonte": row["provider"],
        }
        await contacts.opt_out(caller, contacts.OptOut.model_validate(asked))
