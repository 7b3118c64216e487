"""What can be done with companies."""

from core import companies
from core.foundation.security.caller import Scope
from core.read_models.companies import COMPANY
from graphql_api.companies.schema import Company, CompanyAttributes
from graphql_api.inputs import name_input
from graphql_api.mutations import Deleted, mutation_field, mutation_type
from graphql_api.records import type_of

name_input(companies.AttributeDefinition, "CompanyAttributeInput")


CompanyImportDone = type_of(companies.CompanyImportDone)

WRITE = Scope.CRM_WRITE


@mutation_type
class CompanyMutations:
    create_company: Company | None = mutation_field(
        companies.create_company,
        companies.NewCompany,
        scope=WRITE,
        answers=COMPANY,
        description="Create a company that contacts and deals may belong to.",
    )
    update_company: Company | None = mutation_field(
        companies.change_company,
        companies.CompanyChanges,
        scope=WRITE,
        answers=COMPANY,
        ids=("id",),
        description="Change what is sent of a company; null clears a field.",
    )
    delete_company: Deleted | None = mutation_field(
        companies.delete_company,
        scope=Scope.CRM_DELETE,
        answers=Deleted,
        ids=("id",),
        description="Delete a company; its contacts and deals stay, without it.",
    )
    import_companies: CompanyImportDone | None = mutation_field(
        companies.import_companies,
        companies.CompanyImport,
        heavy=True,
        scope=WRITE,
        description=(
            "Create many companies, and change those that exist; a faulty line is told in the "
            "answer and keeps no other out."
        ),
    )
    replace_company_attributes: CompanyAttributes | None = mutation_field(
        companies.replace_definitions,
        companies.AttributeDefinitions,
        heavy=True,
        scope=WRITE,
        description="Define what the values under keys of companies' attributes have to be; what "
        "is left out is gone.",
    )
