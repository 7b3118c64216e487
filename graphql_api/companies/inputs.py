"""What can be asked of lists of companies."""

import strawberry
from strawberry import UNSET

from core.dashboards.companies import COMPANY
from graphql_api.enums import order_enum
from graphql_api.periods import Period

CompanyOrder = order_enum("CompanyOrder", COMPANY)


@strawberry.input(description="Conditions that all hold.")
class CompanyFilter:
    q: str | None = strawberry.field(
        default=UNSET, description="A CNPJ, or a part of the name in any spelling"
    )
    responsavel_id: strawberry.ID | None = UNSET
    segmento: str | None = UNSET
    created_at: Period | None = UNSET
