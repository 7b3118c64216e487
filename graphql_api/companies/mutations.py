"""What can be done with companies."""

import strawberry

from core import companies
from core.foundation.security.caller import Scope
from core.read_models.companies import COMPANY
from graphql_api.companies.schema import Company
from graphql_api.enums import wire_enum
from graphql_api.inputs import name_input, register_enum
from graphql_api.mutations import Deleted, mutation_field, mutation_type

CompanyAttributeType = wire_enum("CompanyAttributeType", companies.AttributeType)

register_enum(companies.AttributeType, CompanyAttributeType)
name_input(companies.AttributeDefinition, "CompanyAttributeInput")


@strawberry.type(
    description="A line, counted from 1, and which of its fields are wrong in what way."
)
class CompanyImportLine:
    linha: int
    mensagem: str


@strawberry.type(description="What became of the lines.")
class CompanyImportDone:
    criadas: int
    atualizadas: int
    erros: list[CompanyImportLine]


@strawberry.type(description="What the values of one attribute are.")
class CompanyAttribute:
    key: str
    type: CompanyAttributeType
    label: str | None
    required: bool


@strawberry.type(description="All definitions. Without any, every attribute is free.")
class CompanyAttributes:
    defs: list[CompanyAttribute]


WRITE = Scope.CRM_WRITE


@mutation_type
class CompanyMutations:
    create_company: Company | None = mutation_field(
        companies.create_company, companies.NewCompany, scope=WRITE, answers=COMPANY
    )
    update_company: Company | None = mutation_field(
        companies.change_company,
        companies.CompanyChanges,
        scope=WRITE,
        answers=COMPANY,
        ids=("id",),
        description="Only what is sent changes; null clears a field.",
    )
    delete_company: Deleted | None = mutation_field(
        companies.delete_company, scope=Scope.CRM_DELETE, answers=Deleted, ids=("id",)
    )
    import_companies: CompanyImportDone | None = mutation_field(
        companies.import_companies,
        companies.CompanyImport,
        heavy=True,
        scope=WRITE,
        description="A faulty line is told in the answer and keeps no other out.",
    )
    replace_company_attributes: CompanyAttributes | None = mutation_field(
        companies.replace_definitions,
        companies.AttributeDefinitions,
        heavy=True,
        scope=WRITE,
        description="Define what the values under keys of companies' attributes have to be; what "
        "is left out is gone.",
    )
