"""The companies that contacts work for and deals are made with."""

from core.companies.change import change_company
from core.companies.create import create_company
from core.companies.definitions import list_definitions, replace_definitions
from core.companies.delete import delete_company
from core.companies.forget_contact import forget_contact, lock_companies_of
from core.companies.hold import hold_companies
from core.companies.import_companies import import_companies
from core.companies.inputs import (
    AttributeDefinition,
    AttributeDefinitions,
    CompanyChanges,
    CompanyFilter,
    CompanyImport,
    NewCompany,
)
from core.companies.listing import list_companies
from core.companies.models import AttributeType, Company, CompanyAttribute
from core.companies.queries import get_company
from core.companies.record import (
    COMPANY_DETAILS,
    CompanyAttributes,
    CompanyDetails,
    CompanyImportDone,
    CompanyPage,
    CompanyRecord,
    ExtendedCounts,
)

__all__ = [
    "COMPANY_DETAILS",
    "AttributeDefinition",
    "AttributeDefinitions",
    "AttributeType",
    "Company",
    "CompanyAttribute",
    "CompanyAttributes",
    "CompanyChanges",
    "CompanyDetails",
    "CompanyFilter",
    "CompanyImport",
    "CompanyImportDone",
    "CompanyPage",
    "CompanyRecord",
    "ExtendedCounts",
    "NewCompany",
    "change_company",
    "create_company",
    "delete_company",
    "forget_contact",
    "get_company",
    "hold_companies",
    "import_companies",
    "list_companies",
    "list_definitions",
    "lock_companies_of",
    "replace_definitions",
]
