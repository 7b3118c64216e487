"""Resolving a template for a send, and filling in its variables."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from core.foundation.database import db
from core.foundation.database.rows import pairs_of
from core.foundation.ids import is_id
from core.foundation.security.caller import Caller
from core.templates.errors import (
    HeaderFileMissing,
    HeaderLocationMissing,
    InvalidTemplateVariables,
    TemplateUnavailable,
    TemplateVariableMismatch,
    UnknownTemplate,
)
from core.templates.models import Template, TemplateStatus
from core.templates.validation.components import MEDIA
from core.templates.variables import Components, payloads_of, variables_of

UNFIT = re.compile(r"[\n\r\t]| {5}")
"""What the platform refuses in a variable."""


async def template_for_sending(
    caller: Caller, id: str, number_id: str, *, pointer: str = "/templateId"
) -> Template:
    """A template of this number of the caller's that may be sent now.

    Raises UnknownTemplate (422, at `pointer`) and TemplateUnavailable (409), also where a button
    opens a flow that cannot be opened.
    """
    found = (
        await Template.visible_to(caller).get_or_none(id=id, number_id=number_id)
        if is_id("tpl", id)
        else None
    )
    if found is None:
        raise UnknownTemplate(pointer)
    if found.status is not TemplateStatus.APPROVED:
        raise TemplateUnavailable(found.status, replaced_by=await _replacement(found))
    flows = flows_in(found.components)
    if flows and len(await usable_flows(caller, number_id, flows)) < len(flows):
        raise TemplateUnavailable(found.status)
    return found


def placeholders(template: Template) -> int:
    """How many texts a send of this template needs."""
    return len(variables_of(template.components))


def filled(
    template: Template,
    vars: Sequence[str],
    *,
    media: Mapping[str, Any] | None = None,
    location: Mapping[str, Any] | None = None,
    pointer: str = "/templateVars",
) -> dict[str, Any]:
    """The template as it leaves: `{name, language, components}`, the components in the platform's
    shape.

    `media` is the file of the header, `{id}` or `{link}`, the first with a `filename` where it is a
    document; without one the example of the template stands there. `location` is the place that a
    header shows, `{latitude, longitude, name, address}`. Raises TemplateVariableMismatch,
    InvalidTemplateVariables, HeaderFileMissing and HeaderLocationMissing.
    """
    expected = placeholders(template)
    if len(vars) != expected:
        raise TemplateVariableMismatch(expected, len(vars), pointer=pointer)
    if unfit := [
        place for place, text in enumerate(vars) if not text.strip() or UNFIT.search(text)
    ]:
        raise InvalidTemplateVariables(unfit, pointer=pointer)
    payloads = payloads_of(template.components)
    texts = list(vars)
    components = [
        *_header(payloads.get("HEADER", {}), texts, media or _example_file(template), location),
        *_body(payloads["BODY"], texts),
        *_buttons(payloads.get("BUTTONS", {}).get("buttons", ()), texts, vars),
    ]
    return {"name": template.name, "language": template.language, "components": components}


def _example_file(template: Template) -> dict[str, Any] | None:
    header = payloads_of(template.components).get("HEADER", {})
    if header.get("format") not in MEDIA:
        return None
    url = header.get("example") or template.header_example_url
    return {"link": url} if url else None


def _header(
    header: Mapping[str, Any],
    texts: list[str],
    media: Mapping[str, Any] | None,
    location: Mapping[str, Any] | None,
) -> list[dict[str, Any]]:
    """Takes its texts off the front."""
    format = header.get("format")
    if format in MEDIA or format == "LOCATION":
        shown, missing = (
            (media, HeaderFileMissing) if format in MEDIA else (location, HeaderLocationMissing)
        )
        if shown is None:
            raise missing
        kind = format.lower()
        return [{"type": "header", "parameters": [{"type": kind, kind: dict(shown)}]}]
    count = len(variables_of([{"type": "HEADER", "payload": header}]))
    return _texts("header", [texts.pop(0) for _ in range(count)])


def _body(body: Mapping[str, Any], texts: list[str]) -> list[dict[str, Any]]:
    count = len(variables_of([{"type": "BODY", "payload": body}]))
    return _texts("body", [texts.pop(0) for _ in range(count)])


def _texts(type: str, texts: Sequence[str]) -> list[dict[str, object]]:
    parameters = [{"type": "text", "text": text} for text in texts]
    return [{"type": type, "parameters": parameters}] if parameters else []


def _buttons(
    buttons: Sequence[Mapping[str, Any]], texts: list[str], all_texts: Sequence[str]
) -> list[dict[str, Any]]:
    found = []
    for place, button in enumerate(buttons):
        match button["type"]:
            case "URL" if "{{" in button["url"]:
                found.append(_button("url", place, {"type": "text", "text": texts.pop(0)}))
            case "COPY_CODE":
                found.append(
                    _button(
                        "copy_code", place, {"type": "coupon_code", "coupon_code": texts.pop(0)}
                    )
                )
            case "OTP":  # the platform has an address behind it, which ends in the code
                found.append(_button("url", place, {"type": "text", "text": all_texts[0]}))
            case (
                "FLOW"
            ):  # the platform wants a token, which nobody reads: an answer names the message
                found.append(
                    _button("flow", place, {"type": "action", "action": {"flow_token": "unused"}})
                )
    return found


def _button(kind: str, place: int, parameter: dict[str, Any]) -> dict[str, Any]:
    return {"type": "button", "sub_type": kind, "index": str(place), "parameters": [parameter]}


def flows_in(components: Components) -> list[str]:
    """The flows that buttons open."""
    buttons = payloads_of(components).get("BUTTONS", {}).get("buttons", ())
    return [button["flowId"] for button in buttons if button["type"] == "FLOW"]


async def usable_flows(caller: Caller, number_id: str, ids: Sequence[str]) -> dict[str, str]:
    """Those of these flows of the number that are open to recipients, with the platform's id of
    each.
    """
    rows = await db.fetch(USABLE_FLOWS, caller.organization_id, caller.env, number_id, list(ids))
    return pairs_of(rows, "id", "meta_flow_id")


async def _replacement(template: Template) -> str | None:
    """The approved version of the same template."""
    found: str | None = await db.fetchval(
        REPLACEMENT,
        template.organization_id,
        template.env,
        template.number_id,
        template.name,
        template.language,
        template.version,
    )
    return found


USABLE_FLOWS = """
SELECT id, meta_flow_id FROM flows
WHERE organization_id = $1 AND env = $2 AND number_id = $3 AND id = ANY ($4)
  AND status = 'active' AND meta_status = 'PUBLISHED' AND meta_flow_id IS NOT NULL
"""

REPLACEMENT = """
SELECT id FROM templates
WHERE organization_id = $1 AND env = $2 AND number_id = $3 AND name = $4 AND language = $5 AND version > $6
  AND status = 'approved'
ORDER BY version DESC LIMIT 1
"""
