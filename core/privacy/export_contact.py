"""Giving a person what is known of them (LGPD, right of access)."""

from collections.abc import Iterable
from datetime import datetime
from typing import cast

from asyncpg import Record

from core import audit, contacts, push
from core.conversations.forget_person import windows_of
from core.foundation.clock import now, wire_time
from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.foundation.errors import Forbidden
from core.foundation.security.caller import Caller, Scope
from core.privacy.messages_of import MESSAGES_OF, READ, addresses_of
from core.privacy.record import PersonalData


async def export_contact(caller: Caller, id: str) -> PersonalData:
    """Everything that is stored of a contact, in clear.

    Only in a session with contacts:pii; the look is audited. Raises Forbidden and NotFound.
    """
    caller.require(Scope.CONTACTS_PII)
    if caller.kind != "session":
        raise Forbidden(
            "A person's data is exported in a dashboard session only.",
            meta={"escopoExigido": Scope.CONTACTS_PII.value},
        )
    at = now()
    async with transaction():
        row = await contacts.contact_row(caller, id)
        identity = contacts.phone_identity(caller, row["phone"])
        addresses = contacts.addresses_of(caller, {"identity": identity, "email": row["email"]})
        scope = (caller.organization_id, caller.env)
        own = await addresses_of(caller, id, row["phone"], row["email"])
        mine = (*scope, id, own)
        exported = {
            "contato": contacts.contact_record(row, unmasked=True),
            "documentos": contacts.revealed_documents(row),
            "consentimentos": _shown(await db.fetch(CONSENTS, *scope, id, identity)),
            "recusas": _shown(await db.fetch(DENIALS, *scope, addresses)),
            "supressoes": _shown(await db.fetch(SUPPRESSIONS, *scope, addresses)),
            "listas": _shown(await db.fetch(LISTS, *scope, id)),
            "jornadas": _shown(await db.fetch(JOURNEYS, *scope, id)),
            "mensagens": _shown(await db.fetch(MESSAGES, *mine)),
            "conversas": _shown(
                await windows_of(caller, id, row["phone"], await db.fetch(READ, *mine))
            ),
            "cliques": _shown(await db.fetch(LINKS, *mine)),
            "dispositivos": _shown(await push.devices_of(caller, id, row["external_id"], own)),
            "eventos": _shown(await db.fetch(EVENTS, *scope, id, row["external_id"])),
            "geradoEm": wire_time(at),
        }
        counts = {name: len(found) for name, found in exported.items() if isinstance(found, list)}
        await audit.write_entry(caller, "contact.data_exported", id, counts, at=at)
    return cast("PersonalData", exported)


def _shown(rows: Iterable[Record]) -> list[dict[str, object]]:
    """Rows under the names of the export, without what is not there."""
    return [
        {
            name: wire_time(value) if isinstance(value, datetime) else value
            for name, value in row.items()
            if value is not None
        }
        for row in rows
    ]


CONSENTS = """
SELECT status, channel AS canal, source AS fonte, at AS em, reason AS motivo, ip, user_agent AS "userAgent",
       created_at AS "registradoEm"
FROM contact_consents WHERE organization_id = $1 AND env = $2 AND (contact_id = $3 OR identity = $4)
ORDER BY created_at, id
"""

DENIALS = """
SELECT channel AS canal, reason AS motivo, source AS fonte, denied_at AS em
FROM contact_denials WHERE organization_id = $1 AND env = $2 AND identity = ANY ($3) ORDER BY denied_at, id
"""

SUPPRESSIONS = """
SELECT reason AS motivo, message_id AS "messageId", created_at AS em
FROM email_suppressions WHERE organization_id = $1 AND env = $2 AND identity = ANY ($3) ORDER BY created_at, id
"""

LISTS = """
SELECT l.id, l.name AS nome, m.created_at AS "entrouEm"
FROM contact_list_members m JOIN contact_lists l ON l.id = m.list_id AND l.organization_id = m.organization_id
WHERE m.organization_id = $1 AND m.env = $2 AND m.contact_id = $3 ORDER BY m.created_at, l.id
"""

JOURNEYS = """
SELECT r.version_id AS "journeyId", j.name AS nome, r.entry_key AS chave,
       CASE r.state WHEN 1 THEN 'ativa' WHEN 2 THEN 'concluida' WHEN 3 THEN 'cancelada' ELSE 'erro' END AS estado,
       r.entered_at AS "entrouEm", r.ended_at AS "terminouEm", r.end_reason AS motivo
FROM journey_runs r JOIN journeys j ON j.id = r.version_id AND j.organization_id = r.organization_id
WHERE r.organization_id = $1 AND r.env = $2 AND r.contact_id = $3 ORDER BY r.entered_at, r.id
"""

MESSAGES = f"""
SELECT id, channel AS canal, direction AS direcao, status, reason AS motivo, recipient AS endereco,
       content ->> 'text' AS texto, subject AS assunto, campaign_id AS "campaignId", metadata, created_at AS "criadaEm",
       sent_at AS "enviadaEm", delivered_at AS "entregueEm", read_at AS "lidaEm", failed_at AS "falhouEm",
       type AS tipo, CASE WHEN type IS NOT NULL THEN content END AS conteudo, template_vars AS variaveis,
       coalesce(number_id, instagram_account_id) AS com, link_origin AS "origemDoLink", media - 'key' AS arquivo
FROM messages WHERE id IN ({MESSAGES_OF}) ORDER BY created_at, id
"""

LINKS = f"""
SELECT message_id AS "messageId", url, clicks AS cliques, first_clicked_at AS "primeiroEm",
       last_clicked_at AS "ultimoEm"
FROM short_links WHERE organization_id = $1 AND message_id IN ({MESSAGES_OF}) ORDER BY created_at, code
"""

EVENTS = """
SELECT name AS nome, event_id AS "eventId", occurred_at AS "ocorreuEm", value::float8 AS valor, currency AS moeda,
       properties
FROM customer_events
WHERE organization_id = $1 AND env = $2 AND (contact_id = $3 OR contact_id IS NULL AND contact_external_id = $4)
ORDER BY occurred_at, id
"""
