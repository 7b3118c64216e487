"""Whom an e-mail is from: a verified sender of the organization."""

from collections.abc import Collection
from typing import TypeAlias

from core.email.addresses import Sender, read_sender
from core.email.errors import NoVerifiedSender
from core.foundation.database import db
from core.foundation.security.caller import Caller

SANDBOX_SENDER = "no-reply@sandbox.test"
UNVERIFIED = "unverified.test"
"""In the sandbox every sender is verified but those of this domain."""

WantedSender: TypeAlias = tuple[str, str, str | None]
"""Of an organization in an environment: the sender that is wanted; None: any."""


async def sender_for(caller: Caller, wanted: str | None) -> Sender:
    """Who the e-mail is from: the wanted sender where it is verified, the first verified one where
    none is wanted.

    Raises NoVerifiedSender.
    """
    asked = (caller.organization_id, caller.env, wanted)
    sender = (await senders_for([asked]))[asked]
    if sender is None:
        raise NoVerifiedSender
    return sender


async def senders_for(wanted: Collection[WantedSender]) -> dict[WantedSender, Sender | None]:
    """The same for many, by one statement at most; None where there is no verified one."""
    named = {one: read_sender(one[2]) for one in wanted if one[2] is not None}
    found: dict[WantedSender, Sender | None] = {
        one: sender if one[1] == "test" and sender.domain != UNVERIFIED else None
        for one, sender in named.items()
    }
    asked = [one for one in dict.fromkeys(wanted) if one not in named or one[1] == "live"]
    if asked:
        forms = [
            (*one[:2], sender and sender.address.lower(), sender and f"@{sender.domain}")
            for one, sender in ((one, named.get(one)) for one in asked)
        ]
        rows = await db.fetch(FIND, *db.columns(forms, 4))
        for one, row in zip(asked, rows, strict=True):
            found[one] = _found(one, named.get(one), row["first"], verified=row["verified"])
    return found


def _found(
    wanted: WantedSender, named: Sender | None, first: str | None, *, verified: bool
) -> Sender | None:
    if named is not None:
        return named if verified else None
    if first is None and wanted[1] == "test":
        first = SANDBOX_SENDER
    return None if first is None else Sender("", first)


FIND = """
SELECT CASE WHEN a.address IS NULL THEN (
           SELECT s.address FROM email_senders s
           WHERE s.organization_id = a.organization_id AND s.env = a.env AND NOT starts_with(s.address, '@')
           ORDER BY s.verified_at, s.id LIMIT 1) END AS first,
       EXISTS (SELECT FROM email_senders s
               WHERE s.organization_id = a.organization_id AND s.env = a.env
               AND s.address IN (a.address, a.domain)) AS verified
FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) WITH ORDINALITY
    AS a (organization_id, env, address, domain, place)
ORDER BY a.place
"""
