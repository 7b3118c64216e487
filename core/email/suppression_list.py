"""The suppression list: reading it, and lifting a suppression."""

from typing import Annotated, NotRequired, TypedDict

from pydantic import Field

from core import audit, contacts
from core.email.addresses import Address
from core.email.models import EmailFailureReason, EmailSuppression
from core.foundation.clock import now
from core.foundation.database.transactions import transaction
from core.foundation.database.where import Where
from core.foundation.errors import NotFound
from core.foundation.records import (
    Doc,
    Id,
    Instant,
    Made,
    Page,
    Record,
    WrittenPage,
    named,
    newest_records,
)
from core.foundation.security.caller import Caller, Scope
from core.foundation.security.masks import mask_email
from core.foundation.validation.inputs import QueryInput, SkipPage


def address_of(recipient: str | None) -> str | None:
    """The address that the message which told of it went to; None where that was erased, or is
    gone.
    """
    return recipient if recipient is not None and "@" in recipient else None


def masked_address_of(recipient: str | None) -> str | None:
    """The same for callers without pii:full."""
    address = address_of(recipient)
    return None if address is None else mask_email(address)


@named(rest="Suppression", graphql="EmailSuppression")
class SuppressionRecord(TypedDict):
    """An address that nothing is sent to: it bounced for good, or its owner complained."""

    id: Annotated[Id, Doc("A keyed hash of the address")]
    to: NotRequired[
        Annotated[
            str,
            Made(
                address_of,
                ("recipient",),
                masked=masked_address_of,
                sql="CASE WHEN strpos(recipient, '@') > 0 THEN to_json(recipient)::text END",
            ),
            Doc(
                "Masked without pii:full; absent once the contact of the message that told was erased"
            ),
        ]
    ]
    reason: Annotated[EmailFailureReason, Doc("What was told of it")]
    messageId: NotRequired[Annotated[Id, Doc("The message whose report told")]]
    createdAt: Annotated[Instant, Doc("Since when nothing is sent there")]


SUPPRESSION = Record(SuppressionRecord)


class SuppressionPage(Page[SuppressionRecord]):
    """A page of suppressed addresses, the newest first."""


class SuppressionFilter(SkipPage):
    """Which suppressed addresses to list, the newest first."""

    to: Address | None = Field(default=None, description="A whole address, in any case")


class SuppressedAddress(QueryInput):
    """The address that is to be written to again."""

    to: Address = Field(description="A whole address, in any case")


async def list_suppressions(
    caller: Caller, filter: SuppressionFilter
) -> WrittenPage[SuppressionPage]:
    """A page, the newest first. Raises ValidationFailed for a cursor of another list."""
    caller.require(Scope.EMAIL_READ)
    where = Where.visible_to(caller)
    narrow_suppressions(where, caller, to=filter.to)
    return await newest_records(
        caller, SUPPRESSION, "email_suppressions", where, filter, select=SELECT
    )


async def lift_suppression(caller: Caller, address: SuppressedAddress) -> dict[str, object]:
    """Send there again; what the owner of the address denied stays denied. Answers `{id}`. Raises
    NotFound.
    """
    caller.require(Scope.EMAIL_SEND)
    identity = contacts.identity_of_email(caller.organization_id, address.to)
    async with transaction():
        found = EmailSuppression.visible_to(caller).filter(identity=identity)
        lifted = await found.select_for_update().get_or_none()
        if lifted is None:
            raise NotFound
        await lifted.delete()
        facts = {"reason": lifted.reason, "messageId": lifted.message_id}
        await audit.write_entry(caller, "email.suppression_lifted", None, facts, at=now())
    return {"id": identity.hex()}


def narrow_suppressions(where: Where, caller: Caller, *, to: str | None) -> None:
    """Add the condition of a filter."""
    if to is not None:
        where.narrow("identity = {}", contacts.identity_of_email(caller.organization_id, to))


RECIPIENT = (
    "(SELECT m.recipient FROM messages m "
    "WHERE m.id = {0}.message_id AND m.organization_id = {0}.organization_id AND m.env = {0}.env)"
)
"""Only its hash is kept of an address: who it is, the message tells, until its contact is erased.
"""

# A cursor holds a text as the id.
SELECT = f"""
SELECT * FROM (
    SELECT s.organization_id, s.env, s.identity, s.reason, s.message_id, s.created_at, encode(s.identity, 'hex') AS id,
           {RECIPIENT.format("s")} AS recipient
    FROM email_suppressions s) AS s"""
