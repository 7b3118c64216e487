"""What the declaration of a record says of a key besides its type: `Annotated[str, Doc("…"), …]`."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar

from core.foundation.security.caller import Scope

SomeShape = TypeVar("SomeShape", bound=type)


@dataclass(frozen=True, slots=True)
class Doc:
    """What the key is, in one sentence; REST, GraphQL and their references repeat it."""

    text: str


@dataclass(frozen=True, slots=True)
class Column:
    """The column that holds the value, where its name is not the key's in snake_case."""

    name: str


@dataclass(frozen=True, slots=True)
class Spread:
    """The object has columns of its own, which all begin like this; its keys follow in snake_case."""

    prefix: str


@dataclass(frozen=True, slots=True)
class Masked:
    """What callers without pii:full get of the value; it is asked only where there is one."""

    mask: Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class Hidden:
    """Callers without pii:full do not get it at all."""


@dataclass(frozen=True, slots=True)
class Made:
    """The value is made of columns by a function that takes them as JSON has them.

    `masked` makes it for callers without pii:full. `sql`, where there is one, is the same value as
    JSON text that PostgreSQL writes in lists.
    """

    make: Callable[..., Any]
    columns: tuple[str, ...]
    masked: Callable[..., Any] | None = None
    sql: str | None = None


@dataclass(frozen=True, slots=True)
class Loaded:
    """Another query reads the value, and the use case puts it into the record."""


@dataclass(frozen=True, slots=True)
class Scoped:
    """Who may read it also where the record itself is shown without a scope, to who changed it."""

    scope: Scope


@dataclass(frozen=True, slots=True)
class _Form:
    """How a text or a number is written; `Id`, `Instant` and the others below carry one."""

    name: str


ID = _Form("id")
INSTANT = _Form("instant")
DAY = _Form("day")
LARGE = _Form("large")
URI = _Form("uri")
OF_QUERY = _Form("of a query string")

Id = Annotated[str, ID]
"""An id that the service gave."""

Instant = Annotated[str, INSTANT]
"""A moment: in UTC, with milliseconds and `Z`."""

Day = Annotated[str, DAY]
"""A day without a time, `YYYY-MM-DD`."""

LargeInt = Annotated[int, LARGE]
"""A whole number that may need more than 32 bits, such as an amount of coins."""

PassedOver = Annotated[
    list[str],
    OF_QUERY,
    Doc(
        "What was passed over, such as parameters that do not exist, and what else "
        "is to be known; "
        "absent without any"
    ),
]
"""The warnings of what REST reads. GraphQL refuses what it does not know, so that its types have none."""


Uri = Annotated[str, URI]
"""The address of something."""


@dataclass(frozen=True, slots=True)
class Names:
    """What a shape is called in OpenAPI and in the GraphQL schema."""

    rest: str
    graphql: str


NAMES = "__wire_names__"


def named(
    *, rest: str | None = None, graphql: str | None = None
) -> Callable[[SomeShape], SomeShape]:
    """Name a shape where the name of its class is not the one that callers know."""

    def name(shape: SomeShape) -> SomeShape:
        setattr(shape, NAMES, Names(rest or shape.__name__, graphql or shape.__name__))
        return shape

    return name


def names_of(shape: type) -> Names:
    """What a shape is called."""
    own = vars(shape).get(NAMES)  # not that of a shape which it extends
    return own if isinstance(own, Names) else Names(shape.__name__, shape.__name__)
