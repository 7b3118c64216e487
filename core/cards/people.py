"""The contacts on a card, besides the one that it is about."""

from collections.abc import Mapping, Sequence

from core.cards import links
from core.cards.inputs import Person
from core.foundation.database import db
from core.foundation.security.caller import Caller

Stored = Sequence[tuple[str, str | None, bool]]


async def stored_people(caller: Caller, card_id: str) -> Stored:
    """Who is on a card, in their order: contact, role, whether the principal one."""
    rows = await db.fetch(
        "SELECT contact_id, role, principal FROM card_contacts WHERE card_id = $1 AND organization_id = $2 "
        "ORDER BY position",
        card_id,
        caller.organization_id,
    )
    return [tuple(row) for row in rows]


async def put_people(caller: Caller, card_id: str, people: Sequence[Person]) -> None:
    """Make exactly these the people of a card that is held."""
    await db.execute(
        "DELETE FROM card_contacts WHERE card_id = $1 AND organization_id = $2",
        card_id,
        caller.organization_id,
    )
    rows = [
        [person.contact_id, person.role, person.principal, place]
        for place, person in enumerate(people)
    ]
    await db.execute(PUT, caller.organization_id, caller.env, card_id, *db.columns(rows, 4))


def unknown_people(
    people: Sequence[Person], known: links.KnownLinks, *, but: Sequence[str] = ()
) -> Mapping[str, str]:
    """Those who are no contacts, by their pointers. `but`: they are on the card already."""
    return {
        f"/contatos/{place}/contatoId": links.CONTACT
        for place, person in enumerate(people)
        if person.contact_id not in known.contacts and person.contact_id not in but
    }


PUT = """
INSERT INTO card_contacts (organization_id, env, card_id, contact_id, role, principal, position)
SELECT $1, $2, $3, p.* FROM unnest($4::text[], $5::text[], $6::bool[], $7::smallint[]) AS p
"""
