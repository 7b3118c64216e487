"""A card as callers see it."""

from datetime import datetime, timedelta
from typing import Any

from core.foundation.clock import wire_time
from core.foundation.database.db import Row

DAY = timedelta(days=1)

COLUMNS = """c.*, s.probability AS stage_probability, s.max_days, (
        SELECT jsonb_agg(jsonb_build_object('contatoId', p.contact_id, 'papel', p.role, 'principal', p.principal)
            ORDER BY p.position)
        FROM card_contacts p WHERE p.card_id = c.id) AS people, (
        SELECT jsonb_build_object('id', a.id, 'tipo', a.kind, 'titulo', a.title,
            'venceEm', to_char(a.due_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
        FROM card_activities a WHERE a.card_id = c.id AND a.done_at IS NULL AND a.due_at IS NOT NULL
        ORDER BY a.due_at LIMIT 1) AS next_activity"""
"""What a record is made of, from `cards c JOIN pipeline_stages s`."""

TIMES = (("ganhoEm", "won_at"), ("perdidoEm", "lost_at"))
OPTIONAL = (
    ("fechadoPorId", "closed_by_id"),
    ("contatoId", "contact_id"),
    ("companyId", "company_id"),
    ("responsavelId", "owner_id"),
    ("motivoPerdaId", "lost_reason_id"),
    ("observacaoPerda", "lost_note"),
    ("origemMessageId", "origin_message_id"),
    ("externalId", "external_id"),
)


def card_record(row: Row, *, at: datetime) -> dict[str, Any]:
    """The record at an instant. Fields without a value are absent."""
    days = (at - row["stage_since"]) // DAY
    probability = row["probability"] if row["probability"] is not None else row["stage_probability"]
    record: dict[str, Any] = {
        "id": row["id"],
        "organizationId": row["organization_id"],
        "pipelineId": row["pipeline_id"],
        "etapaId": row["stage_id"],
        "titulo": row["title"],
        "status": row["status"],
        "ordem": row["rank"],
        "versao": row["version"],
        "moeda": row["currency"],
        "etapaDesde": wire_time(row["stage_since"]),
        "diasNaEtapa": max(days, 0),
        "atrasado": row["max_days"] is not None and days > row["max_days"],
        "atributos": row["attributes"],
        "tags": row["tags"],
        "contatos": [_present(person) for person in row["people"] or ()],
        "origem": row["origin"],
        "createdById": row["created_by_id"],
        "createdAt": wire_time(row["created_at"]),
        "updatedAt": wire_time(row["updated_at"]),
    }
    if row["value"] is not None:
        record["valor"] = float(row["value"])
    if row["expected_on"] is not None:
        record["dataPrevista"] = row["expected_on"].isoformat()
    if probability is not None:
        record["probabilidade"] = probability
    if row["next_activity"] is not None:
        record["proximaAtividade"] = _present(row["next_activity"])
    for name, column in TIMES:
        if (time := row[column]) is not None:
            record[name] = wire_time(time)
    for name, column in OPTIONAL:
        if (value := row[column]) is not None:
            record[name] = value
    return record


def _present(record: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in record.items() if value is not None}
