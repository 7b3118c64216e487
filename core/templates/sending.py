"""Resolving a template for a send, and filling in its variables."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class TemplateForm:
    """A template taken apart once, to be filled in for any number of recipients."""

    template: Template
    placeholders: int
    """How many texts a send of it needs."""
    header: Mapping[str, Any]
    of_header: int
    """How many of the texts are the header's, which come first."""
    of_body: int
    buttons: Sequence[Mapping[str, Any]]
    example: Mapping[str, Any] | None
    """The file that stands in its header where a send names none."""

    @classmethod
    def of(cls, template: Template) -> "TemplateForm":
        """The form of a template without defects."""
        payloads = payloads_of(template.components)
        header = payloads.get("HEADER", {})
        return cls(
            template=template,
            placeholders=len(variables_of(template.components)),
            header=header,
            of_header=len(variables_of([{"type": "HEADER", "payload": header}])),
            of_body=len(variables_of([{"type": "BODY", "payload": payloads["BODY"]}])),
            buttons=payloads.get("BUTTONS", {}).get("buttons", ()),
            example=_example_file(template, header),
        )

    def filled(
        self,
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
        if len(vars) != self.placeholders:
            raise TemplateVariableMismatch(self.placeholders, len(vars), pointer=pointer)
        if unfit := [
            place for place, text in enumerate(vars) if not text.strip() or UNFIT.search(text)
        ]:
            raise InvalidTemplateVariables(unfit, pointer=pointer)
        texts = list(vars)
        components = [
            *self._header(texts, media or self.example, location),
            *_texts("body", [texts.pop(0) for _ in range(self.of_body)]),
            *_buttons(self.buttons, texts, vars),
        ]
        return {
            "name": self.template.name,
            "language": self.template.language,
            "components": components,
        }

    def _header(
        self,
        texts: list[str],
        media: Mapping[str, Any] | None,
        location: Mapping[str, Any] | None,
    ) -> list[dict[str, Any]]:
        """Takes its texts off the front."""
        format = self.header.get("format")
        if format in MEDIA or format == "LOCATION":
            shown, missing = (
                (media, HeaderFileMissing) if format in MEDIA else (location, HeaderLocationMissing)
            )
            if shown is None:
                raise missing
            kind = format.lower()
            return [{"type": "header", "parameters": [{"type": kind, kind: dict(shown)}]}]
        return _texts("header", [texts.pop(0) for _ in range(self.of_header)])


def _example_file(template: Template, header: Mapping[str, Any]) -> dict[str, Any] | None:
    if header.get("format") not in MEDIA:
        return None
    url = header.get("example") or template.header_example_url
    return {"link": url} if url else None


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
