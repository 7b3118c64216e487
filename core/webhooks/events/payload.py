"""Payload of a delivery: the stored event as JSON, personal data masked per subscription."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, cast

import orjson

from core.foundation.clock import wire_time
from core.foundation.security.caller import Env
from core.foundation.security.masks import mask_address, mask_payload
from core.webhooks.events.record import EventRecord

PERSONAL = ("to", "from", "phone")


def body_of(**event: Any) -> bytes:
    """`event_record` as UTF-8 JSON without insignificant spaces; the same bytes on every retry and
    replay.
    """
    return orjson.dumps(event_record(**event))


def event_record(
    *,
    event_id: str,
    type: str,
    occurred_at: datetime,
    env: str,
    organization_id: str,
    api_version: str,
    data: Mapping[str, Any],
    unmasked: bool,
) -> EventRecord:
    """What a delivery and the feed tell of an event, in the order of its fields."""
    return {
        "id": event_id,
        "type": type,
        "timestamp": wire_time(occurred_at),
        "env": cast(Env, env),
        "organizationId": organization_id,
        "apiVersion": api_version,
        "data": dict(data) if unmasked else masked_data(data),
    }


def masked_data(data: Mapping[str, Any]) -> dict[str, Any]:
    """Event data with recipients, senders and phones masked, and without the platform's ids, which
    hold the phone.
    """
    # In some events `from` and `to` are what was and what is, and nobody's address.
    shown = {
        name: mask_address(value) if name in PERSONAL and isinstance(value, str) else value
        for name, value in data.items()
    }
    if receipt := data.get("providerReceipt"):
        shown["providerReceipt"] = {**receipt, "to": mask_address(receipt["to"])}
    if payload := data.get("payload"):
        shown["payload"] = mask_payload(payload)
    return shown
