"""What a subscription's resolver finds in its `info` besides the caller."""

from dataclasses import dataclass
from typing import cast

from strawberry.types import Info

from core.foundation.pubsub import OnCutOff
from graphql_api.context import Context


@dataclass(slots=True, kw_only=True)
class LiveContext(Context):
    """An operation that goes on until somebody ends it."""

    cut_off: OnCutOff
    """Ends the conversation, because its reader was not told of something."""


def cut_off_of(info: Info) -> OnCutOff:
    """What to call when the reader was not told of something."""
    return cast("LiveContext", info.context).cut_off
