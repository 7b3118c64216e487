"""Writing past contacts: rows, consent log, denials in force and the attributes seen."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from cli.seed.chunks import write_chunks
from cli.seed.contacts.consent import PastConsent, PastDecision
from cli.seed.contacts.draw import PastContact, draw_contact
from cli.seed.copy_text import joined, line_of
from cli.seed.run import Chunk, Run
from core import contacts
from core.contacts import OptInStatus
from core.foundation.database import db
from core.foundation.security.caller import Scope
from core.wallet import Owner

CONTACT = (
    "id", "organization_id", "env", "phone", "identity", "name", "email", "whatsapp_profile_name",
    "cpf_cipher",
    "cnpj_cipher", "birth_date_cipher", "attributes", "debtor_groups", "tags", "opt_in_status",
    "opt_in_source",
    "opt_in_at", "opt_in_ip", "opt_in_user_agent", "opt_in_revoked_at", "opt_in_revoked_reason",
    "source",
    "external_id", "external_ids", "last_interaction_at", "created_at", "updated_at",
)  # fmt: skip
CONSENT = (
    "organization_id", "env", "contact_id", "identity", "channel", "status", "source", "at",
    "date_informed", "ip",
    "user_agent", "reason", "created_at",
)  # fmt: skip
DENIAL = (
    "organization_id",
    "env",
    "identity",
    "channel",
    "reason",
    "source",
    "denied_at",
    "created_at",
)


@dataclass(frozen=True, slots=True)
class MadeContact:
    """A contact as lines of the tables, and what somebody may have already."""

    identity: bytes
    external_id: str | None
    attributes: dict[str, Any]
    row: str
    consents: list[str]
    denials: list[str]


async def write_contacts(run: Run, count: int) -> dict[str, int]:
    """Write `count` contacts; answers how many are new. Who is a contact already, or wants no
    messages, is left out.
    """
    run.caller.require(Scope.CONTACTS_WRITE)
    written = 0

    def make(chunk: Chunk) -> list[MadeContact]:
        random = run.random("contacts", chunk.number)
        places = range(chunk.first, chunk.last)
        ids = run.ids("cnt", "contacts", chunk)
        return [
            _made(run.owner, id, draw_contact(run, place, count, random))
            for id, place in zip(ids, places, strict=True)
        ]

    async def write(made: Sequence[MadeContact]) -> None:
        nonlocal written
        await contacts.lock_opt_outs(run.caller)
        taken = await _taken(run, made)
        new = [one for one in made if one.identity not in taken and one.external_id not in taken]
        await db.copy_in("contacts", CONTACT, joined(one.row for one in new))
        await db.copy_in(
            "contact_consents", CONSENT, joined(line for one in new for line in one.consents)
        )
        await db.copy_in(
            "contact_denials", DENIAL, joined(line for one in new for line in one.denials)
        )
        await contacts.remember_attributes(
            run.caller, [one.attributes for one in new], at=run.as_of
        )
        written += len(new)

    await write_chunks(
        run, "contacts", count, table="contacts", prefix="cnt", make=make, write=write
    )
    return {"contacts": written}


def _made(owner: Owner, id: str, contact: PastContact) -> MadeContact:
    identity = contacts.identity_of_phone(owner[0], contact.phone)
    consent = contact.consent
    return MadeContact(
        identity,
        contact.external_id,
        contact.attributes,
        line_of(_row(owner, id, identity, contact)),
        [line_of(_consent(owner, id, identity, consent, move)) for move in consent.moves],
        [
            line_of((*owner, identity, move.channel, move.reason, consent.source, move.at, move.at))
            for move in consent.moves
            if move.status is OptInStatus.DENIED
        ],
    )


async def _taken(run: Run, made: Sequence[MadeContact]) -> set[bytes | str]:
    """The identities and external ids among these that somebody has, and the identities that were
    denied.
    """
    rows = await db.fetch(
        TAKEN,
        *run.owner,
        [one.identity for one in made],
        [one.external_id for one in made if one.external_id],
    )
    return {
        value
        for row in rows
        for value in (row["identity"], row["external_id"])
        if value is not None
    }


def _row(owner: Owner, id: str, identity: bytes, contact: PastContact) -> tuple[Any, ...]:
    consent = contact.consent
    return (
        id, *owner, contact.phone, identity, contact.name, contact.email, contact.profile_name,
        contacts.seal_document(id, "cpf_cipher", contact.cpf),
        contacts.seal_document(id, "cnpj_cipher", contact.cnpj),
        contacts.seal_document(id, "birth_date_cipher", contact.birth_date),
        _json(contact.attributes),
        _json(contact.debtor_groups), contact.tags, consent.status.value, consent.source,
        consent.at, consent.ip,
        consent.user_agent, consent.revoked_at, consent.revoked_reason, contact.source.value,
        contact.external_id,
        _json(contact.external_ids), contact.last_interaction_at, contact.created_at,
        contact.updated_at,
    )  # fmt: skip


def _consent(
    owner: Owner, id: str, identity: bytes, consent: PastConsent, move: PastDecision
) -> tuple[Any, ...]:
    return (
        *owner, id, identity, move.channel, move.status.value, consent.source, move.at, True,
        consent.ip,
        consent.user_agent, move.reason, move.at,
    )  # fmt: skip


def _json(value: Any) -> str | None:
    return None if value is None else orjson.dumps(value).decode()


TAKEN = """
SELECT identity, NULL AS external_id FROM contacts
WHERE organization_id = $1 AND env = $2 AND identity = ANY ($3::bytea[])
UNION ALL
SELECT NULL, external_id FROM contacts WHERE organization_id = $1 AND env = $2 AND external_id = ANY ($4::text[])
UNION ALL
SELECT identity, NULL FROM contact_denials WHERE organization_id = $1 AND env = $2 AND identity = ANY ($3::bytea[])
"""
