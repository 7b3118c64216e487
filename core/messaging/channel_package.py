"""What the package of a channel offers to everybody else."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from core.decisions import SendWay
from core.foundation.channels import AnyChannel
from core.foundation.database.where import Where
from core.foundation.jobs import Job
from core.foundation.polling import WorkerLoop
from core.foundation.security.caller import Caller
from core.messaging.by_journey import JourneyWay
from core.messaging.message_channel import MessageChannel
from core.messaging.sandbox_dues import ChannelDue
from core.quotes import PricedChannel

Show = Callable[[Caller, str], Awaitable[Mapping[str, Any]]]

Narrow = Callable[[Where], None]
"""Adds the conditions of an audience to a statement whose first values are organization and
environment.
"""

Reaches = Callable[[Caller, Narrow], Awaitable[int]]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelPackage:
    """A channel, or several that share their rules, as one object of `core.channels`.

    `messages`: how they are accepted, settled and read; None where it stores none. `show`: one of
    what it sent, by its id. `asks`: how it is asked what would become of a send. `prices`: so that
    they can be promised. `journey`: how messages of journeys go over it. `work`: the loop that a
    worker runs for each of its jobs. `dues`: what of it comes due in a sandbox whose clock is
    moved.

    `show_reply`: one of what came back, where that is read in another way. `whose`: of what has a
    table of its own, by the kind of its ids, the SQL of the organization and the environment of one
    ($1). `reaches`: how many it reaches of an audience; None: the contacts with an address that it
    writes to.
    """

    channels: tuple[AnyChannel, ...]
    messages: MessageChannel | None = None
    show: Show
    show_reply: Show | None = None
    whose: Mapping[str, str] = field(default_factory=dict)
    reaches: Reaches | None = None
    asks: SendWay[Any] | None = None
    prices: PricedChannel | None = None
    journey: JourneyWay | None = None
    work: Mapping[Job, Callable[[], WorkerLoop]] = field(default_factory=dict)
    dues: Sequence[ChannelDue] = ()
