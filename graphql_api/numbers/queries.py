"""Numbers at the root."""

import strawberry

from core.dashboards.numbers import NUMBER
from graphql_api.connections import Connection, reads_one, reads_page
from graphql_api.numbers.inputs import NumberFilter
from graphql_api.numbers.types import Number


@strawberry.type
class NumberQueries:
    number: Number | None = reads_one(NUMBER)
    numbers: Connection[Number] | None = reads_page(
        NUMBER, filter=NumberFilter, description="Newest first"
    )
