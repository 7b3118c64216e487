"""Reading stored changes as the notices of `core.providers.platform`."""

from collections.abc import Callable, Iterator
from datetime import datetime

from core.foundation.clock import now
from core.foundation.json_values import objects_of
from core.providers.meta.untrusted_json import moment_of
from core.providers.meta.webhook.account_notices import (
    capability_notices,
    flow_notices,
    name_notices,
    partner_notices,
    quality_notices,
    template_notices,
)
from core.providers.meta.webhook.changes import INSTAGRAM, PlatformChange
from core.providers.meta.webhook.delivery_reports import report_of
from core.providers.meta.webhook.inbound_messages import inbound_of, names_of
from core.providers.meta.webhook.instagram import instagram_notices
from core.providers.platform import Notice


def notices_of(change: PlatformChange, *, at: datetime | None = None) -> list[Notice]:
    """The notices in a change, in its order; none for what has no meaning here. Raises nothing,
    whatever it holds.

    `at`: when the change arrived, now unless told. No notice is later than that, and its own time
    counts if it has one.
    """
    arrived = at or now()
    read = _READERS.get(change.field)
    return [] if read is None else list(read(change, arrived))


def _messages(change: PlatformChange, arrived: datetime) -> Iterator[Notice]:
    if change.platform_id is None:
        return
    names = names_of(change.value)
    for message in objects_of(change.value, "messages"):
        if (inbound := inbound_of(change.platform_id, message, names, arrived)) is not None:
            yield inbound
    for status in objects_of(change.value, "statuses"):
        if (report := report_of(change.platform_id, status, arrived)) is not None:
            yield report


def _timed(
    read: Callable[[PlatformChange, datetime], Iterator[Notice]],
) -> Callable[[PlatformChange, datetime], Iterator[Notice]]:
    """These changes tell no time of their own: that of the notice counts."""
    return lambda change, arrived: read(change, moment_of(change.value.get("_time"), arrived))


_READERS: dict[str, Callable[[PlatformChange, datetime], Iterator[Notice]]] = {
    "messages": _messages,
    INSTAGRAM: instagram_notices,
    "account_update": _timed(partner_notices),
    "phone_number_quality_update": _timed(quality_notices),
    "phone_number_name_update": _timed(name_notices),
    "business_capability_update": _timed(capability_notices),
    "message_template_status_update": _timed(template_notices),
    "flows": _timed(flow_notices),
}
