"""What the package of a channel offers to everybody else."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from core.decisions import SendWay
from core.foundation.channels import AnyChannel
from core.foundation.jobs import Job
from core.foundation.polling import WorkerLoop
from core.foundation.security.caller import Caller
from core.messaging.message_channel import MessageChannel
from core.quotes import PricedChannel

Show = Callable[[Caller, str], Awaitable[Mapping[str, Any]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelPackage:
    """A channel, or several that share their rules, as one object of `core.channels`.

    `messages`: how they are accepted, settled and read; None where it stores none. `show`: one of
    what it sent, by its id. `asks`: how it is asked what would become of a send. `prices`: so that
    they can be promised. `work`: the loop that a worker runs for each of its jobs.
    """

    channels: tuple[AnyChannel, ...]
    messages: MessageChannel | None = None
    show: Show
    asks: SendWay[Any] | None = None
    prices: PricedChannel | None = None
    work: Mapping[Job, Callable[[], WorkerLoop]] = field(default_factory=dict)
