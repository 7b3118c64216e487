"""Changing what a card says. (Its stage changes by moving it.)"""

from collections.abc import Mapping
from typing import Any

import orjson

from core.cards import links
from core.cards.errors import LinksRefused, RequiredFieldsMissing
from core.cards.external_ids import one_card_each
from core.cards.history import HistoryEntry, write_entries
from core.cards.inputs import CardChanges, amount
from core.cards.models import Card
from core.cards.people import Stored, put_people, stored_people, unknown_people
from core.cards.queries import read_card
from core.cards.record import CardRecord
from core.cards.stage_rules import DEMANDED, WIRE, missing
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.foundation.security.caller import Caller, Scope
from core.pipelines.errors import VersionOutdated

EMPTY: dict[str, Any] = {"attributes": {}, "tags": []}
"""What a null makes of fields that always have a value."""


async def change_card(caller: Caller, id: str, changes: CardChanges) -> CardRecord:
    """Change what was sent and nothing else; answers the card. Links are looked at only where they
    change.

    Raises NotFound, VersionOutdated, LinksRefused, RequiredFieldsMissing and CardExternalIdTaken.
    """
    caller.require(Scope.CRM_WRITE)
    people = changes.people or []
    with one_card_each():
        async with transaction():
            known = await links.hold_links(
                caller,
                contacts=[changes.contact_id, *(person.contact_id for person in people)],
                companies=[changes.company_id],
                members=[changes.owner_id],
            )
            card = await _lock(caller, id)
            if changes.version not in (None, card.version):
                raise VersionOutdated(card.version)
            on_it = await stored_people(caller, id)
            columns = _columns(card, changes)
            will_be_on_it: Stored = (
                [(one.contact_id, one.role, one.principal) for one in people]
                if _sent(changes, "people")
                else on_it
            )
            _check_links(columns, changes, known, on_it)
            await _check_required(card, columns, on_it, will_be_on_it)
            changed = list(columns)
            if will_be_on_it != on_it:
                await put_people(caller, id, people)
                changed.append("people")
            if changed:
                await _write(caller, card, columns, changed)
            return await read_card(caller, id)


async def _lock(caller: Caller, id: str) -> Card:
    return await Card.own(caller, "crd", id, lock=True)


def _sent(changes: CardChanges, name: str) -> bool:
    return name in changes.model_fields_set


def _columns(card: Card, changes: CardChanges) -> dict[str, Any]:
    """The columns that get other values."""
    columns = {}
    for name in changes.model_fields_set - {"people", "version"}:
        value = getattr(changes, name)
        if name == "value":
            value = amount(value)
        elif value is None and name in EMPTY:
            value = EMPTY[name]
        if not _same(value, getattr(card, name)):
            columns[name] = value
    return columns


def _same(one: object, other: object) -> bool:
    """Whether two values are written alike: 1 and true are equal to Python alone."""
    if isinstance(one, dict):
        return orjson.dumps(one, option=orjson.OPT_SORT_KEYS) == orjson.dumps(
            other, option=orjson.OPT_SORT_KEYS
        )
    return bool(one == other)


def _check_links(
    columns: Mapping[str, object], changes: CardChanges, known: links.KnownLinks, on_it: Stored
) -> None:
    asked = (
        ("/contatoId", "contact_id", known.contacts, links.CONTACT),
        ("/companyId", "company_id", known.companies, links.COMPANY),
        ("/responsavelId", "owner_id", known.members, links.MEMBER),
    )
    wrong = {
        pointer: message
        for pointer, column, there, message in asked
        if columns.get(column) is not None and columns[column] not in there
    }
    wrong |= unknown_people(
        changes.people or [], known, but=[contact_id for contact_id, _, _ in on_it]
    )
    if wrong:
        raise LinksRefused(wrong)


async def _check_required(
    card: Card, columns: Mapping[str, object], before: Stored, after: Stored
) -> None:
    """A field that the stage demands is not taken away; one that has been missing may go on
    missing.
    """
    required = await db.fetchval(
        "SELECT required_fields FROM pipeline_stages WHERE id = $1 AND organization_id = $2",
        card.stage_id,
        card.organization_id,
    )
    lacked = missing(vars(card), required, principal=_principal(before))
    lacks = missing({**vars(card), **columns}, required, principal=_principal(after))
    if names := [name for name in lacks if name not in lacked]:
        raise RequiredFieldsMissing(names, [f"/{WIRE[DEMANDED[name]]}" for name in names])


def _principal(people: Stored) -> bool:
    return any(principal for _, _, principal in people)


async def _write(
    caller: Caller, card: Card, columns: Mapping[str, object], changed: list[str]
) -> None:
    at = max(now(), card.updated_at)
    card.update_from_dict({**columns, "version": card.version + 1, "updated_at": at})
    await card.save(update_fields=[*columns, "version", "updated_at"])
    fields = [CardChanges.model_fields[name].alias or name for name in changed]
    await write_entries(
        caller, [HistoryEntry.of_field(vars(card), field, at=at) for field in sorted(fields)]
    )
