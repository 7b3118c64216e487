"""What every resolver finds in its `info`."""

from dataclasses import dataclass
from typing import Any, cast

from graphql import GraphQLResolveInfo
from graphql.execution import Executor
from strawberry.types import Info

from core.foundation.security.caller import Caller


@dataclass(slots=True)
class Context:
    """One operation at work for a caller. `executor` is set by the executor that runs it."""

    caller: Caller
    executor: Executor[Any] | None = None


def caller_of(info: Info | GraphQLResolveInfo[Any]) -> Caller:
    """Whose operation a field belongs to."""
    return cast("Context", info.context).caller
