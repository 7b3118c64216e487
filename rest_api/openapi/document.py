"""The whole document."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from core.foundation.version import own_version
from rest_api.conversations.payload_shapes import MessagePayload
from rest_api.openapi.describe import describe
from rest_api.openapi.events import TAG as EVENTS_TAG
from rest_api.openapi.events import event_shapes, webhooks
from rest_api.openapi.headers import HEADERS
from rest_api.openapi.problems import shared_problems
from rest_api.openapi.schemas import Schemas
from rest_api.openapi.scopes import bearer
from rest_api.openapi.tags import TAGS
from rest_api.support.operations import Operation
from rest_api.support.shapes import Problem

GUIDE = Path(__file__).with_name("guide.md")


OF_ALL: set[type[BaseModel]] = {Problem, MessagePayload}
"""Shapes that no operation answers by itself, and that others refer to."""


def document(
    operations: Sequence[Operation], *, base_url: str, closed: bool = False
) -> dict[str, Any]:
    """OpenAPI 3.1.

    Answers and events may gain fields at any time, so their shapes are open; `closed` ones, for
    tests, let nothing through that is not documented.
    """
    schemas = Schemas(
        inputs={operation.body for operation in operations if operation.body},
        queries={operation.query for operation in operations if operation.query},
        outputs={operation.shape for operation in operations if operation.shape}
        | OF_ALL
        | event_shapes(),
        closed=closed,
    )
    paths: dict[str, dict[str, Any]] = {}
    for operation in operations:
        described = describe(operation, schemas, base_url=base_url)
        paths.setdefault(operation.path, {})[operation.method.lower()] = described
    used = {operation.tag for operation in operations} | {EVENTS_TAG}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "SVC: messaging, contacts and CRM",
            "version": own_version(),
            "summary": "Send messages on several channels and keep the customer data they are "
            "addressed to.",
            "description": GUIDE.read_text(encoding="utf-8"),
        },
        "externalDocs": {"description": "What every problem means", "url": f"{base_url}/problems"},
        "servers": [
            {"url": base_url, "description": "This installation, for live and test keys alike"}
        ],
        "security": [{"bearer": []}],
        "tags": [
            {"name": name, "description": told} for name, told in TAGS.items() if name in used
        ],
        "paths": paths,
        "webhooks": webhooks(schemas),
        "components": {
            "securitySchemes": {"bearer": bearer(operations)},
            "headers": HEADERS,
            "responses": shared_problems(schemas, base_url=base_url),
            "schemas": dict(sorted(schemas.components().items())),
        },
    }
