"""Examples of static lists."""

from rest_api.support.sample_ids import LIST

EMPTY = {
    "id": LIST,
    "name": "Clientes de novembro",
    "description": "Compraram na campanha",
    "size": 0,
    "createdAt": "2026-11-21T03:00:00.138Z",
    "updatedAt": "2026-11-21T03:00:00.138Z",
}
FILLED = {**EMPTY, "size": 3}
RENAMED = {**FILLED, "name": "Clientes de dezembro", "updatedAt": "2026-11-30T12:00:00.000Z"}
PAGE = {"items": [FILLED], "total": 1}
_NOBODY: dict[str, list[str]] = {"externalIds": [], "contactIds": [], "phones": []}
ADDED = {
    "listId": LIST, "matched": 2, "added": 2, "removed": 0, "total": 3, "notFoundCount": 1,
    "notFound": {**_NOBODY, "externalIds": ["customer-1042"]},
}  # fmt: skip
REPLACED = {**ADDED, "removed": 1, "total": 2}
REMOVED = {**ADDED, "added": 0, "removed": 2, "total": 1}
