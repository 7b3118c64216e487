"""A sender as the interface spells it, whether it is verified or waits for that."""

from datetime import datetime
from typing import Annotated, NotRequired, TypedDict

from core.email.models import RecordCheck, SenderMethod, SenderStatus
from core.foundation.clock import moment_of, now
from core.foundation.records import (
    Column,
    Doc,
    Id,
    Instant,
    Loaded,
    Made,
    Page,
    Record,
    named,
)
from core.foundation.security.caller import Env
from core.foundation.security.secrets import keyed_hash
from core.foundation.settings import current

LABEL = "_svc-sender"
"""Below the domain: nothing else is looked for there."""


def record_name(domain: str) -> str:
    """The name of the TXT record that shows whose a domain is."""
    return f"{LABEL}.{domain}"


def record_value(organization_id: str, env: str, address: str) -> str:
    """What the TXT record has to hold: the same each time, and another for everybody else."""
    text = f"sender {organization_id} {env} {address}"
    return f"svc-sender={keyed_hash(current().hash_key.encode(), text).hex()[:40]}"


def _status(verified_at: datetime | str | None, expires_at: datetime | str | None) -> SenderStatus:
    if verified_at is not None:
        return SenderStatus.VERIFIED
    assert expires_at is not None, "what waits has an end"
    return SenderStatus.EXPIRED if moment_of(expires_at) <= now() else SenderStatus.PENDING


def _name(method: str, address: str) -> str | None:
    return record_name(address[1:]) if method == SenderMethod.DNS else None


def _value(method: str, organization_id: str, env: str, address: str) -> str | None:
    return record_value(organization_id, env, address) if method == SenderMethod.DNS else None


STATUS = (
    f"CASE WHEN verified_at IS NOT NULL THEN '\"{SenderStatus.VERIFIED}\"' "
    f"WHEN expires_at <= asked_at THEN '\"{SenderStatus.EXPIRED}\"' ELSE '\"{SenderStatus.PENDING}\"' END"
)
"""In SQL; a list has the time of now as `asked_at`."""
NAME = f"CASE method WHEN '{SenderMethod.DNS}' THEN to_json('{LABEL}.' || substr(address, 2))::text END"


@named(rest="EmailSender", graphql="EmailSender")
class SenderRecord(TypedDict):
    """An address, or all of a domain, that the organization writes from, or wants to write from."""

    id: Annotated[Id, Doc("Names the sender")]
    organizationId: Annotated[Id, Doc("The organization that it belongs to")]
    env: Annotated[Env, Doc("The environment that it belongs to")]
    address: Annotated[str, Doc("An address, or all of a domain: `@example.com`")]
    method: Annotated[SenderMethod, Doc("How it is shown that it is the organization's own")]
    status: Annotated[
        SenderStatus,
        Made(_status, ("verified_at", "expires_at"), sql=STATUS),
        Doc("How it stands"),
    ]
    txtName: NotRequired[
        Annotated[
            str,
            Made(_name, ("method", "address"), sql=NAME),
            Doc("The name of the TXT record of a domain"),
        ]
    ]
    txtValue: NotRequired[
        Annotated[
            str,
            Made(_value, ("method", "organization_id", "env", "address")),
            Doc("The text of that record; others may stand beside it"),
        ]
    ]
    expiresAt: NotRequired[
        Annotated[Instant, Doc("Until when it can be shown; absent once it is verified")]
    ]
    checkedAt: NotRequired[
        Annotated[
            Instant, Doc("When the TXT record was looked for last; absent once it is verified")
        ]
    ]
    lastCheck: NotRequired[
        Annotated[RecordCheck, Column("outcome"), Doc("What that look-up found")]
    ]
    createdAt: Annotated[Instant, Doc("When it was asked for")]
    verifiedAt: NotRequired[
        Annotated[Instant, Doc("Since when the organization may write from it")]
    ]


SENDER = Record(SenderRecord)


@named(rest="RequestedEmailSender", graphql="RequestedEmailSender")
class RequestedSender(SenderRecord):
    """A sender that was asked for."""

    sandboxCode: NotRequired[
        Annotated[
            str,
            Loaded(),
            Doc("The code of the e-mail, in the sandbox, which no e-mail leaves"),
        ]
    ]


@named(rest="EmailSenderPage")
class SenderPage(Page[SenderRecord]):
    """A page of senders, the newest first."""


# One that is verified by an operator, or by an older version, is named by its number.
SENDERS = """
(SELECT organization_id, env, coalesce(public_id, 'snd_' || lpad(id::text, 21, '0')) AS id, address,
        coalesce(method, 'operator') AS method, coalesce(created_at, verified_at) AS created_at, verified_at,
        NULL::timestamptz AS expires_at, NULL::timestamptz AS checked_at, NULL AS outcome
 FROM email_senders
 UNION ALL
 SELECT organization_id, env, id, address, CASE WHEN code_hash IS NULL THEN 'dns' ELSE 'email' END, created_at,
        NULL, expires_at, checked_at, outcome
 FROM email_sender_verifications)
"""
"""Those that are verified, and those that wait for it, as one table."""
