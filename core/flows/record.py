"""The record of a flow."""

from collections.abc import Mapping
from typing import Any

from core.flows.inputs import FlowJson, FlowScreen
from core.foundation.clock import wire_time
from core.foundation.database.db import Row

SHOWN = tuple(FlowJson.model_fields)
SHOWN_OF_A_SCREEN = tuple(FlowScreen.model_fields)


def flow_record(row: Row) -> dict[str, Any]:
    """The record of a row, or of a model's `vars`. Fields without a value are absent."""
    record = {
        "id": row["id"],
        "organizationId": row["organization_id"],
        "numberId": row["number_id"],
        "name": row["name"],
        "description": row["description"],
        "status": row["status"],
        "version": row["version"],
        "versaoDe": row["version_of"],
        "metaFlowId": row["meta_flow_id"],
        "metaStatus": row["meta_status"],
        "metaCategories": row["meta_categories"],
        "flowJson": shown_json(row["flow_json"]),
        "publishedAt": wire_time(row["published_at"]) if row["published_at"] else None,
        "createdAt": wire_time(row["created_at"]),
        "updatedAt": wire_time(row["updated_at"]),
    }
    return {name: value for name, value in record.items() if value is not None}


def shown_json(flow_json: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that the interface knows: what the service or an editor keeps beside them is never
    shown.
    """
    shown = {name: flow_json[name] for name in SHOWN if name in flow_json}
    screens = [
        {name: screen[name] for name in SHOWN_OF_A_SCREEN if name in screen}
        for screen in shown.get("screens", ())
    ]
    return {**shown, "screens": screens}
