"""Unsubscribing by one click, from the e-mail itself (RFC 8058)."""

from datetime import datetime
from typing import cast

from core import contacts
from core.cells import cell_with, use_cell
from core.contacts.consent_log import deny_addresses
from core.email.outgoing import Ticket, read_token
from core.foundation.database import db
from core.foundation.errors import NotFound
from core.foundation.security.caller import Caller, Env, system_caller
from core.messaging import Channel

SOURCE = "one-click"
REASON = "List-Unsubscribe"


async def find_unsubscribe_ticket(token: str) -> Ticket:
    """What the token of an unsubscribing address stands for. Raises NotFound; changes nothing."""
    ticket = read_token("u", token)
    if ticket is None:
        raise NotFound
    return ticket


async def unsubscribe(token: str, *, request_id: str, at: datetime) -> None:
    """Write no marketing e-mail to this recipient any more. Repeating it changes nothing. Raises
    NotFound.

    No credential: whoever got the e-mail may say so. Where the address was erased meanwhile, its
    hash is denied.
    """
    ticket = await find_unsubscribe_ticket(token)
    with use_cell(await cell_with(WHOSE, ticket.message_id)):
        await _unsubscribe(ticket, request_id, at)


WHOSE = "SELECT organization_id FROM messages WHERE id = $1"


async def _unsubscribe(ticket: Ticket, request_id: str, at: datetime) -> None:
    row = await db.fetchrow(
        "SELECT * FROM messages WHERE id = $1 AND channel = 'email'", ticket.message_id
    )
    if row is None:
        raise NotFound
    caller = system_caller(row["organization_id"], cast(Env, row["env"]), request_id=request_id)
    if _still_known(caller, row["recipient"], ticket):
        named = {
            "emails": [row["recipient"]],
            "contactIds": [row["contact_id"]] if row["contact_id"] else [],
        }
        wish = contacts.OptOut.model_validate(
            {**named, "canal": Channel.EMAIL, "motivo": REASON, "fonte": SOURCE}
        )
        await contacts.opt_out(caller, wish)
    else:
        await deny_addresses(caller, [(ticket.identity, Channel.EMAIL, REASON, SOURCE, at)], at=at)


def _still_known(caller: Caller, address: str, ticket: Ticket) -> bool:
    return contacts.identity_of_email(caller.organization_id, address) == ticket.identity
