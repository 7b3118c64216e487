"""A channel as one object: what its package says of it, and everything else asks."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from core.foundation.database.rows import HasColumns
from core.foundation.described_enum import DescribedEnum
from core.foundation.records import Record
from core.foundation.security.caller import Scope
from core.messaging.channel import SendChannel
from core.messaging.models import Channel
from core.messaging.queue.reasons import ABANDONED, OPT_OUT

if TYPE_CHECKING:
    from core.messaging.settle import ChannelPolicy


def by_its_id(row: HasColumns) -> dict[str, object]:
    """How an event names a message that it is not about."""
    return {"messageId": row["message_id"]}


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageChannel:
    """What is a channel's own; each package of one makes it, and registers it.

    `channels`: two where they share all of their rules. `sends`: how its sends are accepted; None
    where they are accepted in another way. `settles`: what answers mean for its messages. `record`:
    their shape. `reasons`: why one may not arrive; `abandoned` and `opted_out`: those of what
    waited for too long, and of what its recipient refused meanwhile. `marks_by_reason`: whether a
    reason may also mark messages that have not failed. `clicked`: how the event of a click names
    its message, whose row is that of the link with its message.
    """

    channels: tuple[Channel, ...]
    sends: SendChannel | None
    settles: "ChannelPolicy[Any]"
    record: Record[Any]
    reasons: type[DescribedEnum]
    abandoned: str = ABANDONED
    opted_out: str = OPT_OUT
    marks_by_reason: bool = False
    clicked: Callable[[HasColumns], dict[str, object]] = by_its_id

    @property
    def read(self) -> Scope:
        """Who may read its messages."""
        return self.channels[0].facts.read


_registered: dict[str, MessageChannel] = {}


def register(channel: MessageChannel) -> MessageChannel:
    """Let its messages be settled, ended and told of as it says, also together with those of
    others.
    """
    _registered.update(dict.fromkeys(channel.channels, channel))
    return channel


def channel_of(name: str) -> MessageChannel:
    """The channel of a message."""
    return _registered[name]


def words_of(word: Callable[[MessageChannel], str]) -> dict[str, str]:
    """A word of each channel, by its name."""
    return dict(_words(word))


def _words(word: Callable[[MessageChannel], str]) -> Iterator[tuple[str, str]]:
    for name, channel in _registered.items():
        yield str(name), word(channel)
