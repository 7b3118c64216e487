"""Examples of events, as a subscription without personal data is told them."""

from typing import Any

from core.webhooks import masked_data
from core.webhooks.events.event_types import API_VERSION
from core.webhooks.events.samples import SAMPLES
from rest_api.support.sample_ids import EVENT, ORGANIZATION


def example_of(type: str) -> dict[str, Any]:
    """The whole body of a delivery; a ping has no data."""
    return {
        "id": EVENT,
        "type": type,
        "timestamp": "2026-11-21T03:08:15.567Z",
        "env": "test",
        "organizationId": ORGANIZATION,
        "apiVersion": API_VERSION,
        "data": next((masked_data(data) for name, data in SAMPLES.items() if name == type), {}),
    }
