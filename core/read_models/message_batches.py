"""Batches of conversational messages, read field by field."""

from dataclasses import replace

from core.conversations.batches import record
from core.foundation.security.caller import Scope
from core.read_models.query_compiler import Entity, fields_of

FIELDS = fields_of(record.MESSAGE_BATCH)

MESSAGE_BATCH = Entity(
    name="MessageBatch",
    table="message_batches",
    alias="mb",
    scope=Scope.MESSAGES_READ,
    prefix="btc",
    fields={
        **FIELDS,
        "porStatus": replace(
            FIELDS["porStatus"],
            sql=f"coalesce({record.BY_STATUS.format('{t}')}, '{{{{}}}}'::jsonb)",
        ),
    },
)
