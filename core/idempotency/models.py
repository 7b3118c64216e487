"""The table of Idempotency-Keys and their answers."""

from typing import Any

from tortoise import fields

from core.foundation.database.indexes import WhereIndex
from core.foundation.database.tenancy import OwnedModel


class IdempotencyKey(OwnedModel):
    """One key on one route: the hash of its body, and the answer once there is one.

    `answer` lives 24 hours. That of a send holds unmasked values and is masked again for whoever replays it; any
    other is sealed (`stored_answers.py`).
    """

    id = fields.BigIntField(primary_key=True)
    route = fields.CharField(max_length=40)
    key = fields.CharField(max_length=255)
    body_hash = fields.BinaryField()
    subject_id = fields.CharField(max_length=30, null=True)
    answer: fields.Field[dict[str, Any] | None] = fields.JSONField(null=True)
    lease_until = fields.DatetimeField(null=True)
    created_at = fields.DatetimeField()
    expires_at = fields.DatetimeField()

    class Meta:
        table = "idempotency_keys"
        unique_together = (("organization_id", "env", "route", "key"),)
        indexes = (
            ("expires_at",),
            WhereIndex(
                fields=("subject_id",), name="idempotency_keys_by_subject", where="env = 'live'"
            ),
        )
