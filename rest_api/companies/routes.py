"""The operations of companies."""

from core import companies
from core.foundation.records import WrittenPage
from core.foundation.security.caller import Scope
from rest_api.companies import examples
from rest_api.support.operations import Operation
from rest_api.support.requests import Call
from rest_api.support.sample_ids import COMPANY

IMPORT_BODY_LIMIT = 10_000_000
DEFINITIONS = "/v2/organizations/me/company-attribute-defs"


async def list_companies(
    call: Call[None, companies.CompanyFilter],
) -> WrittenPage[companies.CompanyPage]:
    return await companies.list_companies(call.caller, call.query)


async def create_company(call: Call[companies.NewCompany]) -> companies.CompanyRecord:
    return await companies.create_company(call.caller, call.body)


async def import_companies(call: Call[companies.CompanyImport]) -> companies.CompanyImportDone:
    return await companies.import_companies(call.caller, call.body)


async def get_company(call: Call) -> companies.CompanyDetails:
    return await companies.get_company(call.caller, call.path["id"])


async def change_company(call: Call[companies.CompanyChanges]) -> companies.CompanyDetails:
    return await companies.change_company(call.caller, call.path["id"], call.body)


async def delete_company(call: Call) -> None:
    await companies.delete_company(call.caller, call.path["id"])


async def list_definitions(call: Call) -> companies.CompanyAttributes:
    return await companies.list_definitions(call.caller)


async def replace_definitions(
    call: Call[companies.AttributeDefinitions],
) -> companies.CompanyAttributes:
    return await companies.replace_definitions(call.caller, call.body)


operations = [
    Operation(
        "GET",
        "/v2/companies",
        list_companies,
        Scope.CRM_READ,
        "List the companies by name",
        "Companies",
        errors=(400, 401, 403, 422),
        query=companies.CompanyFilter,
        answer=companies.CompanyPage,
        answers={"one page": examples.PAGE},
    ),
    Operation(
        "POST",
        "/v2/companies",
        create_company,
        Scope.CRM_WRITE,
        "Register a company",
        "Companies",
        description="A CNPJ is registered once. `atributos` have to fit the definitions of the "
        "organization.",
        errors=(400, 401, 403, 409, 422),
        status=201,
        body=companies.NewCompany,
        answer=companies.CompanyRecord,
        answers={"created": examples.CREATED},
        examples=examples.NEW,
    ),
    Operation(
        "POST",
        "/v2/companies/import",
        import_companies,
        Scope.CRM_WRITE,
        "Create and change many companies",
        "Companies",
        description="At most 500 lines in the format of creation. A line is about the company "
        "with its CNPJ, or, "
        "without one, with exactly its name, and changes only the fields that it has. Good lines "
        "enter even when "
        "others fail.",
        heavy=True,
        errors=(400, 401, 403, 422),
        body=companies.CompanyImport,
        body_limit=IMPORT_BODY_LIMIT,
        answer=companies.CompanyImportDone,
        answers={"one line was faulty": examples.IMPORTED},
        examples={"three lines": examples.IMPORT},
    ),
    Operation(
        "GET",
        "/v2/companies/{id}",
        get_company,
        Scope.CRM_READ,
        "Read a company",
        "Companies",
        errors=(400, 401, 403, 404),
        answer=companies.CompanyDetails,
        answers={"company": examples.READ},
        ids={"id": COMPANY},
    ),
    Operation(
        "PATCH",
        "/v2/companies/{id}",
        change_company,
        Scope.CRM_WRITE,
        "Change a company",
        "Companies",
        description="What is left out stays; null clears; `atributos` replaces all attributes. "
        "Links are checked only "
        "when they change.",
        errors=(400, 401, 403, 404, 409, 422),
        body=companies.CompanyChanges,
        answer=companies.CompanyDetails,
        answers={"changed": examples.CHANGED},
        ids={"id": COMPANY},
        examples=examples.CHANGES,
    ),
    Operation(
        "DELETE",
        "/v2/companies/{id}",
        delete_company,
        Scope.CRM_DELETE,
        "Delete a company",
        "Companies",
        description="Its contacts and deals stay without it. This cannot be undone.",
        errors=(400, 401, 403, 404),
        status=204,
        ids={"id": COMPANY},
    ),
    Operation(
        "GET",
        DEFINITIONS,
        list_definitions,
        Scope.CRM_READ,
        "Read what the attributes of companies may be",
        "Companies",
        errors=(401, 403, 404),
        answer=companies.CompanyAttributes,
        answers={"three attributes": examples.DEFINITIONS, "all are free": {"defs": []}},
    ),
    Operation(
        "PUT",
        DEFINITIONS,
        replace_definitions,
        Scope.CRM_WRITE,
        "Replace what the attributes of companies may be",
        "Companies",
        description="What is left out disappears. Companies stay as they are; the definitions "
        "hold for later writes. A "
        "property that looks like a document, password, card or token stays, under its label, "
        "while companies have "
        "values of it.",
        heavy=True,
        errors=(400, 401, 403, 404, 409, 422, 503),
        body=companies.AttributeDefinitions,
        answer=companies.CompanyAttributes,
        answers={"three attributes": examples.DEFINITIONS},
        examples={"three attributes": examples.DEFINITIONS},
    ),
]
