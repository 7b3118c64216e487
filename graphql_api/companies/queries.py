"""Companies at the root."""

import strawberry

from core.dashboards.companies import COMPANY
from graphql_api.companies.inputs import CompanyFilter, CompanyOrder
from graphql_api.companies.types import Company
from graphql_api.connections import Connection, reads_one, reads_page


@strawberry.type
class CompanyQueries:
    company: Company | None = reads_one(COMPANY)
    companies: Connection[Company] | None = reads_page(
        COMPANY,
        filter=CompanyFilter,
        order=CompanyOrder,
        description="By name unless told otherwise",
    )
