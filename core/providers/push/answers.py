"""What the status of a push service's answer means, where nothing more is said."""

from core.foundation.clock import now
from core.foundation.http_client.retry_after import seconds_to_wait
from core.providers.push.contracts import (
    Answer,
    DeviceGone,
    PushAccepted,
    PushDeferred,
    PushRejected,
)


def answer_by(status: int, retry_after: str | None, *, gone: bool) -> Answer:
    """What it means. `gone`: the service says that there is no such device any more."""
    if status == 200:
        return PushAccepted()
    if gone:
        return DeviceGone()
    if status == 429 or status >= 500:
        return PushDeferred(seconds_to_wait(retry_after, now()))
    return PushRejected()
