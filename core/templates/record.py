"""The record of a template, and its event."""

from typing import Any

from core import webhooks
from core.foundation.clock import wire_time
from core.foundation.database.db import Row
from core.templates.variables import Components, variables_of


def template_record(row: Row) -> dict[str, Any]:
    """The record of a row, or of a model's `vars`. Fields without a value are absent."""
    record = {
        "id": row["id"],
        "organizationId": row["organization_id"],
        "numberId": row["number_id"],
        "name": row["name"],
        "language": row["language"],
        "category": row["category"],
        "status": row["status"],
        "components": row["components"],
        "variaveis": wire_variables(row["components"]),
        "headerExampleUrl": row["header_example_url"],
        "metaTemplateId": row["meta_template_id"],
        "version": row["version"],
        "versaoDe": row["version_of"],
        "rejectionReason": row["rejection_reason"],
        "createdAt": wire_time(row["created_at"]),
        "updatedAt": wire_time(row["updated_at"]),
    }
    return {name: value for name, value in record.items() if value is not None}


def wire_variables(components: Components) -> list[dict[str, Any]]:
    """`variaveis`: what a send has to fill in, in this order."""
    return [variable.as_wire() for variable in variables_of(components)]


def decided(row: Row) -> webhooks.NewEvent:
    """The event that tells that this template was just approved or rejected."""
    data = {
        "templateId": row["id"],
        "name": row["name"],
        "language": row["language"],
        "version": row["version"],
        "rejectionReason": row["rejection_reason"],
        "env": row["env"],
    }
    present = {name: value for name, value in data.items() if value is not None}
    return webhooks.NewEvent(
        row["organization_id"], row["env"], f"template.{row['status']}", present, row["updated_at"]
    )
