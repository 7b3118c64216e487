"""Error catalogue: refusals of companies."""

from core.companies.errors import CheckTookTooLong, CnpjTaken, KeysRepeated, SensitivePropertyInUse
from core.foundation.errors import FieldError, ValidationFailed
from rest_api.problems.error_doc import ErrorDoc, at

WRITE_COMPANY = at("POST /v2/companies", "PATCH /v2/companies/{id}")
DEFINE_ATTRIBUTES = at("PUT /v2/organizations/me/company-attribute-defs")

CONFLICTS = (
    ErrorDoc(
        CnpjTaken(),
        "Another company has this CNPJ; with and without mask it is the same one.",
        "Find it with `GET /v2/companies?q=`, and change that one.",
        WRITE_COMPANY,
    ),
    ErrorDoc(
        KeysRepeated([1]),
        "Two definitions have the same `key`.",
        "Send each key once.",
        DEFINE_ATTRIBUTES,
    ),
    ErrorDoc(
        SensitivePropertyInUse({"cpfDoSocio": "/defs"}),
        "A property that looks like a document, a password, a card or a token, by "
        "its key or its label, was to leave "
        "the list or to change its label, and companies still have values of it: "
        "`meta.chaves` names it.",
        "Remove the values from the companies first.",
        DEFINE_ATTRIBUTES,
    ),
)

INVALID = (
    ErrorDoc(
        ValidationFailed(
            errors=[
                FieldError(
                    "pointer",
                    "/responsavelId",
                    "VINCULO_INVALIDO",
                    "This is no active member of the organization",
                )
            ]
        ),
        (
            "`responsavelId` names nobody who is an active member, or "
            "`contatoPrincipalId` no contact of the organization."
        ),
        (
            "Check the ids; a suspended member, or one who has not accepted yet, cannot "
            "be responsible."
        ),
        WRITE_COMPANY,
    ),
)

UNAVAILABLE = (
    ErrorDoc(
        CheckTookTooLong(),
        (
            "Whether companies still have values of a sensitive property could not be "
            "told within 5 seconds."
        ),
        "Try again at a quieter time. Nothing changed.",
        DEFINE_ATTRIBUTES,
    ),
)
