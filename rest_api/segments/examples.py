"""Examples of segments."""

from typing import Any

from rest_api.support.sample_ids import ACCOUNT, CONTACT, ORGANIZATION, SEGMENT

_ALL = [
    {"field": "tag", "operator": "is", "value": "vip"},
    {"field": "attribute.cidade", "operator": "in", "value": ["São Paulo", "Recife"]},
    {"field": "lastInteraction", "operator": "withinDays", "value": 30},
]
_TREE = {
    "kind": "or",
    "children": [
        {"kind": "leaf", "filter": {"field": "tag", "operator": "is", "value": "vip"}},
        {
            "kind": "not",
            "child": {
                "kind": "leaf",
                "filter": {"field": "optIn", "operator": "is", "value": "denied"},
            },
        },
    ],
}
FILTERS: dict[str, dict[str, Any]] = {
    "all of these": {"filters": _ALL},
    "a tree": {"filterTree": _TREE},
}

STORED = {
    "id": SEGMENT,
    "organizationId": ORGANIZATION,
    "name": "Ativos",
    "filters": _ALL,
    "size": 1280,
    "sizeAt": "2026-11-21T12:00:00.000Z",
    "inUse": {"journeys": 0, "dispatches": 0},
    "createdById": ACCOUNT,
    "createdAt": "2026-11-21T12:00:00.000Z",
    "updatedAt": "2026-11-21T12:00:00.000Z",
}
RENAMED = {**STORED, "name": "Muito ativos", "updatedAt": "2026-11-30T12:00:00.000Z"}
PAGE = {"items": [STORED], "total": 1}
PREVIEW = {
    "count": 1280,
    "sample": [CONTACT],
    "evaluatedAt": "2026-11-21T12:00:00.000Z",
    "partial": False,
}
