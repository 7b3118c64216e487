"""The shapes of batches."""

from typing import Literal

from pydantic import Field

from rest_api.support.shapes import Env, Out, Timestamp


class RefusedRecipient(Out):
    """A recipient to whom nothing was sent. `indice` counts from 0; `codigo` is that of the single
    send, or `repetido`.
    """

    indice: int
    codigo: str


class TakenBulk(Out):
    """What became of a call: how many wait to be sent, who was refused, and what is held for the
    batch.
    """

    batch_id: str
    aceitas: int
    recusadas: list[RefusedRecipient]
    coins_estimados: int


class ByStatus(Out):
    """The messages of a batch by their present status."""

    queued: int
    sending: int
    sent: int
    delivered: int
    read: int
    failed: int
    archived: int


class MessageBatch(Out):
    """A batch. `recusadas` counts the recipients that were refused, in a resend the messages that
    were left.
    """

    id: str
    organization_id: str
    env: Env
    kind: Literal["bulk", "resend"]
    number_id: str | None = None
    template_id: str | None = None
    campaign_id: str | None = None
    aceitas: int
    recusadas: int
    coins_estimados: int
    por_status: ByStatus
    canceled_at: Timestamp | None = None
    created_at: Timestamp


class IgnoredMessage(Out):
    """A message that was not sent again, and why. `indisponivel`: its number or template takes
    nothing now.
    """

    id: str
    motivo: Literal["permanente", "opt_out", "ja_substituida", "antiga", "janela", "indisponivel"]


class Resent(Out):
    """What became of a resend. Without a batch, nothing was sent again."""

    batch_id: str | None = Field(
        description="Null where nothing was sent again, and in a simulation"
    )
    reenviadas: int
    ignoradas: list[IgnoredMessage]
    coins_estimados: int
