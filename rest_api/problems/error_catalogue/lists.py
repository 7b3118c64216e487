"""Error catalogue: refusals of lists."""

from core.lists.errors import ListNameTaken, NobodyMatched
from rest_api.problems.error_doc import ErrorDoc, at

CONFLICTS = (
    ErrorDoc(
        ListNameTaken(),
        "Another list has this name.",
        "Use that list, or another name.",
        at("POST /v2/lists", "PATCH /v2/lists/{id}"),
    ),
)

INVALID = (
    ErrorDoc(
        NobodyMatched(),
        "A list was to be replaced by identifiers that belong to no contact at all.",
        "Check the identifiers; to empty a list, remove its members.",
        at("PUT /v2/lists/{id}/members"),
    ),
)
