"""Numbers."""

from typing import TYPE_CHECKING, Annotated

import strawberry
from strawberry import UNSET

from core import numbers
from core.foundation.security.caller import Scope
from core.numbers import NumberRecord, NumberStatus, Quality
from core.read_models import statistics
from core.read_models.numbers import NUMBER
from graphql_api.connections import Connection, connection_field, node_field, relation_connection
from graphql_api.enums import enum_of
from graphql_api.inputs import name_input
from graphql_api.mutations import mutation_field, mutation_type
from graphql_api.nodes.schema import Node
from graphql_api.records import record_type, type_of

if TYPE_CHECKING:
    from graphql_api.messages.schema import Message


@strawberry.input(description="Conditions that all hold.")
class NumberFilter:
    status: enum_of(NumberStatus) | None = strawberry.field(
        default=UNSET, description="How the number stands"
    )
    quality_rating: enum_of(Quality) | None = strawberry.field(
        default=UNSET, description="How the platform rates what it sends"
    )


@record_type(NumberRecord)
class Number(Node):
    """A number that conversations leave from. Its phone is masked without pii:full."""

    messages: (
        Connection[Annotated["Message", strawberry.lazy("graphql_api.messages.schema")]] | None
    ) = relation_connection("messages", description="Newest first, in either direction")


NumberHealth = type_of(numbers.NumberHealth)
NumberUsage = type_of(numbers.NumberUsage)
NumberUsageSeries = type_of(numbers.NumberUsageSeries)


@mutation_type
class NumberFigures:
    number_health: NumberHealth | None = mutation_field(
        numbers.get_health,
        scope=Scope.NUMBERS_READ,
        ids=("id",),
        description="How a number fares: the platform is asked, at most once in five seconds.",
        of="number",
    )
    number_usage: NumberUsage | None = mutation_field(
        statistics.get_usage,
        numbers.UsageQuery,
        scope=Scope.NUMBERS_READ,
        ids=("id",),
        optional=True,
        strict=False,
        heavy=True,
        description="What a number sent, by the time at which it was handed over.",
        of="number",
    )
    number_usage_series: NumberUsageSeries | None = mutation_field(
        statistics.get_usage_series,
        numbers.UsageSeriesQuery,
        scope=Scope.NUMBERS_READ,
        ids=("id",),
        optional=True,
        strict=False,
        heavy=True,
        description="What a number sent, by whole hours or days of UTC.",
        of="number",
    )


@strawberry.type
class NumberQueries:
    number: Number | None = node_field(
        NUMBER, description="The number of this id; null where there is none"
    )
    numbers: Connection[Number] | None = connection_field(
        NUMBER, filter=NumberFilter, description="Newest first"
    )


name_input(numbers.SandboxEvent, "SandboxNumberEventInput")


@mutation_type
class NumberMutations:
    send_sandbox_number_event: Number | None = mutation_field(
        numbers.simulate_event,
        numbers.SandboxEvent,
        scope=Scope.MESSAGES_SEND,
        answers=NUMBER,
        ids=("id",),
        description="Let the platform tell something of a number; in the test environment only.",
    )
