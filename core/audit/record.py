"""An entry of the audit trail as the interface spells it."""

from typing import Annotated, Any, NotRequired, TypedDict

from core.audit.models import ActorKind
from core.foundation.records import Doc, Id, Instant, Record, Spread, UncountedPage, named


@named(rest="Actor", graphql="Actor")
class ActorRecord(TypedDict):
    """Who did it."""

    kind: Annotated[ActorKind, Doc("What kind of actor it is")]
    id: NotRequired[Annotated[Id, Doc("The account or the key; the service itself has no id")]]


@named(rest="AuditEntry", graphql="AuditEntry")
class AuditRecord(TypedDict):
    """Something that was done, with what it was done to."""

    id: Annotated[Id, Doc("Names the entry")]
    at: Annotated[Instant, Doc("When it was done")]
    actor: Annotated[ActorRecord, Spread("actor_"), Doc("Who did it")]
    action: Annotated[str, Doc("What was done, such as `contact.deleted`")]
    facts: Annotated[
        dict[str, Any], Doc("More about it: ids, counts and flags, never personal data")
    ]
    subjectId: NotRequired[Annotated[str, Doc("The id of what it was done to")]]
    requestId: NotRequired[
        Annotated[str, Doc("The `X-Request-Id` of the request that asked for it")]
    ]


AUDIT_ENTRY = Record(AuditRecord)


class AuditPage(UncountedPage[AuditRecord]):
    """A page of the audit trail, newest first."""
