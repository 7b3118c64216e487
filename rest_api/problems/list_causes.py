"""What the refusals of lists mean."""

from core.lists.errors import ListNameTaken, NobodyMatched
from rest_api.problems.rows import Cause, at

CONFLICTS = (
    Cause(
        ListNameTaken(),
        "Another list has this name.",
        "Use that list, or another name.",
        at("POST /v2/lists", "PATCH /v2/lists/{id}"),
    ),
)

INVALID = (
    Cause(
        NobodyMatched(),
        "A list was to be replaced by identifiers that belong to no contact at all.",
        "Check the identifiers; to empty a list, remove its members.",
        at("PUT /v2/lists/{id}/members"),
    ),
)
