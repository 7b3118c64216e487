"""The customer event of the interface."""

from typing import Literal

from rest_api.support.shapes import Listed, Metadata, Out, Timestamp


class Attribution(Out):
    """The message that touched the contact last. `horasAteOEvento` is the time between the two, in
    hours.
    """

    message_id: str
    channel: Literal["whatsapp", "sms", "rcs", "email", "push", "instagram"]
    campaign_id: str | None = None
    sent_at: Timestamp
    horas_ate_o_evento: float
    journey_id: str | None = None
    journey_step_id: str | None = None
    journey_run_id: str | None = None


class CustomerEventRecord(Out):
    """Something that a customer did. `duplicate`: it had been recorded before."""

    id: str
    name: str
    event_id: str
    contact_id: str | None = None
    contact_external_id: str | None = None
    occurred_at: Timestamp
    value: float | None = None
    currency: str | None = None
    properties: Metadata | None = None
    attribution: Attribution | None
    duplicate: bool


class CustomerEventPage(Listed):
    """A page of events, newest first."""

    items: list[CustomerEventRecord]
    next_cursor: str | None = None
