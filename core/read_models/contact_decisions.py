"""What was decided about sends to contacts, and what would be, for a page of them at once."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from pydantic import ValidationError

from core import contacts
from core.decisions import DecisionRecord, ExplanationRecord, SendQuestion
from core.foundation.database import db
from core.foundation.errors import FieldError, ServiceError, ValidationFailed
from core.foundation.security.caller import Caller, Scope
from core.foundation.validation.validation_errors import found_in
from core.read_models import decisions
from core.read_models.explain_send import WAYS, explain_send
from core.read_models.query_compiler import SelectedRelation

DECISIONS, MOST_DECISIONS = 10, 100
"""Of each contact: how many are told unless said otherwise, and at most."""
MAX_CONTACTS = 10
"""Contacts of one page: each question is a send that is taken back."""


async def load_decisions_of(
    caller: Caller, ids: Sequence[str], selected: SelectedRelation
) -> dict[str, Any]:
    """The latest decisions about sends to contacts, refused and stored ones in one order of time.
    Raises Forbidden and ValidationFailed.
    """
    caller.require(Scope.CONTACTS_READ)
    first = selected.arguments.get("first") or DECISIONS
    if not 1 <= first <= MOST_DECISIONS:
        message = f"Ask for 1 to {MOST_DECISIONS} decisions"
        raise ValidationFailed(errors=[FieldError("parameter", "first", "too_large", message)])
    owner = (caller.organization_id, caller.env)
    people = await db.fetch(PEOPLE, *owner, list(ids))
    addresses = [
        (row["id"], identity) for row in people for identity in _identities_of(caller, row)
    ]
    channels = decisions.readable_channels(caller)
    refused = await db.fetch(REFUSED, *owner, channels, list(ids), *db.columns(addresses, 2), first)
    stored = await db.fetch(f"{decisions.SELECTED} {STORED}", *owner, channels, list(ids), first)
    found: dict[str, list[tuple[Any, DecisionRecord]]] = {id: [] for id in ids}
    for row in refused:
        found[row["of_contact"]].append(
            (row["at"], decisions.of_refusal(caller, cast(decisions.RefusalRow, row)))
        )
    for row in stored:
        found[row["contact_id"]].append(
            (
                row["created_at"],
                decisions.of_message(caller, cast(decisions.DecidedMessageRow, row)),
            )
        )
    return {id: _newest(records, first) for id, records in found.items()}


def _newest(records: list[tuple[Any, DecisionRecord]], first: int) -> list[dict[str, Any]]:
    records.sort(key=lambda one: (one[0], one[1]["id"]), reverse=True)
    return [decisions.with_every_field(record) for _, record in records[:first]]


def _identities_of(caller: Caller, row: db.Row) -> list[bytes]:
    if row["email"] is None:
        return [row["identity"]]
    return [row["identity"], contacts.identity_of_email(caller.organization_id, row["email"])]


async def load_explanations(
    caller: Caller, ids: Sequence[str], selected: SelectedRelation
) -> dict[str, Any]:
    """What would become of a send to each contact; a refusal stands for the contact whose question
    cannot be asked. Raises ValidationFailed for too many.
    """
    if len(ids) > MAX_CONTACTS:
        message = f"Ask about at most {MAX_CONTACTS} contacts at once"
        raise ValidationFailed(errors=[FieldError("parameter", "first", "too_many", message)])
    return {id: await _explained(caller, id, selected.arguments) for id in ids}


async def _explained(
    caller: Caller, id: str, arguments: Mapping[str, Any]
) -> dict[str, Any] | ServiceError:
    try:
        record: ExplanationRecord = await explain_send(caller, _question(id, arguments))
    except ServiceError as refusal:
        return refusal
    return decisions.explanation_with_every_field(record)


def _question(id: str, arguments: Mapping[str, Any]) -> SendQuestion:
    told = {name: value for name, value in arguments.items() if value is not None}
    way = WAYS.get(told["canal"])
    route = None if way is None else way.routes.get(told.get("categoria", ""))
    if route is not None:
        told.setdefault("rota", route)
    try:
        return SendQuestion.model_validate({**told, "contactId": id})
    except ValidationError as invalid:
        raise ValidationFailed(
            errors=[
                FieldError("parameter", str(place[0]) if place else "", code, said)
                for place, code, said in found_in(invalid)
            ]
        ) from None


PEOPLE = """
SELECT id, identity, email FROM contacts WHERE organization_id = $1 AND env = $2 AND id = ANY ($3::text[])
"""

# By the contact's id, and by each of its addresses: an index for both.
REFUSED = """
WITH found AS (
    SELECT a.id AS of_contact, s.id FROM unnest($4::text[]) AS a (id) CROSS JOIN LATERAL (
        SELECT r.id FROM refused_sends r
        WHERE r.organization_id = $1 AND r.env = $2 AND r.contact_id = a.id AND r.channel = ANY ($3::text[])
        ORDER BY r.at DESC LIMIT $7
    ) s
    UNION
    SELECT a.id, s.id FROM unnest($5::text[], $6::bytea[]) AS a (id, identity) CROSS JOIN LATERAL (
        SELECT r.id FROM refused_sends r
        WHERE r.organization_id = $1 AND r.env = $2 AND r.identity = a.identity AND r.channel = ANY ($3::text[])
        ORDER BY r.at DESC LIMIT $7
    ) s
)
SELECT f.of_contact, r.* FROM found f JOIN refused_sends r ON r.id = f.id
"""

STORED = """
WHERE m.organization_id = $1 AND m.env = $2 AND (m.id, m.created_at) IN (
    SELECT s.id, s.created_at FROM unnest($4::text[]) AS a (id) CROSS JOIN LATERAL (
        SELECT n.id, n.created_at FROM messages n
        WHERE n.organization_id = $1 AND n.env = $2 AND n.contact_id = a.id AND n.direction = 'outbound'
          AND n.channel = ANY ($3::text[])
        ORDER BY n.created_at DESC LIMIT $5
    ) s
)
"""
