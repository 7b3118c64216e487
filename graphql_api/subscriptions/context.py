"""What a subscription's resolver finds in its `info` besides the caller."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

from strawberry.types import Info

from graphql_api.context import Context


@dataclass(slots=True, kw_only=True)
class LiveContext(Context):
    """An operation that goes on until somebody ends it."""

    too_slow: Callable[[], None]
    """Ends the conversation, because its reader is too slow for what happens."""


def too_slow_of(info: Info) -> Callable[[], None]:
    """What to call when the reader falls too far behind."""
    return cast("LiveContext", info.context).too_slow
