"""The contract of push providers: what is sent and answered."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol


@dataclass(frozen=True, slots=True)
class PushNotification:
    """What is to be shown. `dispatch_id` travels with it: the app tells by it what was opened, and
    a second copy replaces the first on the device. `silent`: data for the app, nothing for the
    person.
    """

    dispatch_id: str
    title: str
    body: str
    deep_link: str | None = None
    image_url: str | None = None
    actions: Sequence[Mapping[str, object]] = ()
    silent: bool = False


@dataclass(frozen=True, slots=True)
class PushTarget:
    """A device. `p256dh` and `auth` are the keys of a browser, whose token is the address of its
    push service.
    """

    token: str
    p256dh: str | None = None
    auth: str | None = None


@dataclass(frozen=True, slots=True)
class PushAccepted:
    """Accepted, and billable."""


@dataclass(frozen=True, slots=True)
class DeviceGone:
    """There is no such device any more: its token is not to be used again."""


@dataclass(frozen=True, slots=True)
class PushRejected:
    """Not accepted, and another try would end the same."""


@dataclass(frozen=True, slots=True)
class PushDeferred:
    """Not accepted now, or no answer came. `retry_after`: seconds that the provider asked for, on
    behalf of all.
    """

    retry_after: float | None = None


Answer = PushAccepted | DeviceGone | PushRejected | PushDeferred


class PushSender(Protocol):
    """A push service, with the credentials of one app. It raises nothing that the service or the
    network causes.
    """

    @property
    def name(self) -> str: ...

    async def push(self, target: PushTarget, notification: PushNotification) -> Answer:
        """Hand one notification over. Call it outside any transaction."""
        ...


class PushEnding(StrEnum):
    """What the end of a token of the sandbox chooses; any other is delivered."""

    FAIL = ":fail"
    GONE = ":gone"
    SILENT = ":silent"
