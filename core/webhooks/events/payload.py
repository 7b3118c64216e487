"""Payload of a delivery: the stored event as JSON, personal data masked per subscription."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, cast

import orjson

from core.foundation.clock import wire_time
from core.foundation.security.caller import Env
from core.webhooks.events.record import EventRecord, masked_data


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
