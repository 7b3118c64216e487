"""The parameters of an operation: of its path, its headers and its query."""

import re
from typing import Any

from rest_api.openapi.schemas import Schemas
from rest_api.support.operations import Operation
from rest_api.support.uploads import MEDIA_TYPE

IDEMPOTENCY_KEY = {
    "name": "Idempotency-Key",
    "in": "header",
    "description": (
        "1 to 255 printable ASCII characters, drawn anew for each new request. For 24 hours the "
        "same key with the same "
        "body answers the first answer again, and does nothing."
    ),
    "schema": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[ -~]+$"},
    "example": "order-1042",
}
DRY_RUN = {
    "name": "X-SVC-Dry-Run",
    "in": "header",
    "description": (
        "`true`: the operation is done whole, answered, and taken back. The answer "
        "has this header "
        "too, and ids that were made up end in `_simulado`. Refused with 400 where the operation "
        "reaches beyond the database, 409 while what it would change is in use, 429 "
        "above 5 a second."
    ),
    "schema": {"type": "string", "pattern": "^(true|false)$"},
    "example": "true",
}
FILE_HEADERS = [
    {
        "name": "x-filename",
        "in": "header",
        "required": True,
        "description": "The name of the file, 1 to 255 characters; percent-encode (UTF-8) what "
        "is not ASCII.",
        "schema": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[ -~]+$"},
        "example": "proposta.pdf",
    },
    {
        "name": "x-content-type",
        "in": "header",
        "required": True,
        "description": "The media type of the file. What its bytes say goes before it.",
        "schema": {"type": "string", "pattern": MEDIA_TYPE.pattern},
        "example": "application/pdf",
    },
]

RECORDS = {
    "acc": "account",
    "arq": "file",
    "atv": "activity",
    "btc": "batch",
    "cnt": "contact",
    "crd": "card",
    "dec": "decision",
    "dlv": "delivery",
    "emp": "company",
    "etp": "stage",
    "flw": "flow",
    "jor": "journey",
    "run": "run",
    "key": "API key",
    "lst": "list",
    "msg": "message",
    "num": "number",
    "pip": "pipeline",
    "psh": "dispatch",
    "qte": "quote",
    "seg": "segment",
    "ses": "session",
    "snd": "sender",
    "smp": "SMPP account",
    "bnd": "bind",
    "tpl": "template",
    "wbh": "subscription",
}
"""What an id names, by its prefix."""


def parameters_of(operation: Operation, schemas: Schemas) -> list[dict[str, Any]]:
    """The parameter objects."""
    parameters = [
        _in_path(name, operation.ids[name]) for name in re.findall(r"{(\w+)}", operation.path)
    ]
    if operation.takes_key:
        parameters.append({**IDEMPOTENCY_KEY, "required": operation.needs_key})
    if operation.method != "GET" and not operation.public:
        parameters.append(DRY_RUN)
    if operation.takes_file:
        parameters += FILE_HEADERS
    if operation.query is not None:
        for name, required, schema in schemas.parameters(operation.query):
            rest = {key: value for key, value in schema.items() if key != "description"}
            told = schema.get("description", "")
            parameters.append(
                {
                    "name": name,
                    "in": "query",
                    "required": required,
                    "description": told,
                    "schema": rest,
                }
            )
    return parameters


def _in_path(name: str, example: str) -> dict[str, Any]:
    """An id of ours says what it names; what the caller named itself has no prefix."""
    prefix, _, is_ours = example.partition("_")
    told = (
        f"The {RECORDS[prefix]}'s id (`{prefix}_…`)"
        if is_ours
        else "The id that it was created with"
    )
    return {
        "name": name,
        "in": "path",
        "required": True,
        "description": told,
        "schema": {"type": "string"},
        "example": example,
    }
