"""Submitting, checking and removing templates on the platform."""

from collections.abc import Mapping, Sequence
from typing import Any

from core.foundation.json_values import JsonObject, objects_of, text_of
from core.providers.meta.graph import GraphClient
from core.providers.meta.outgoing_messages import language_of
from core.providers.meta.untrusted_json import id_of, some, word_of
from core.providers.meta.webhook.account_notices import TEMPLATES, rejection_of
from core.providers.platform import SenderAccount, TemplateDraft, TemplateSubmission, UpstreamError

Component = Mapping[str, Any]

_FILES = ("IMAGE", "VIDEO", "DOCUMENT")
_ALREADY_THERE = "2388024"


async def submit(
    graph: GraphClient, sender: SenderAccount, draft: TemplateDraft
) -> TemplateSubmission:
    """Hand a template in, or edit the one of its id. Its components are the platform's own, as
    `components_of` makes them.

    Raises UpstreamError.
    """
    shaped = list(draft.components)
    if draft.template_id is not None:
        # A template that was approved keeps its category.
        await graph.ask("POST", sender, draft.template_id, body={"components": shaped})
        return TemplateSubmission(draft.template_id, "pending")
    name, language = draft.name, language_of(draft.language)
    category = draft.category.upper()
    body = {"name": name, "language": language, "category": category, "components": shaped}
    try:
        answer = await graph.ask(
            "POST", sender, f"{account_of(sender)}/message_templates", body=body
        )
    except UpstreamError as refused:
        # The answer to an earlier try may have been lost.
        existing = (
            await _find(graph, sender, name, language, shaped)
            if refused.code == _ALREADY_THERE
            else None
        )
        if existing is None:
            raise
        answer = existing
    created = id_of(answer, "id")
    if created is None:
        raise UpstreamError("200", "The platform's answer cannot be read.", retryable=True)
    return _submitted(created, answer)


async def _find(
    graph: GraphClient,
    sender: SenderAccount,
    name: str,
    language: str,
    components: Sequence[Component],
) -> JsonObject | None:
    """The template of this name and language that is there already, if it says the same."""
    query = {"name": name, "fields": "id,language,status,rejected_reason,components"}
    answer = await graph.ask("GET", sender, f"{account_of(sender)}/message_templates", query=query)
    for one in objects_of(answer, "data"):
        if text_of(one, "language") == language and _texts(objects_of(one, "components")) == _texts(
            components
        ):
            return one
    return None


def _texts(components: Sequence[Component]) -> dict[str, str]:
    return {word_of(one, "type"): text for one in components if (text := text_of(one, "text"))}


async def status_of(
    graph: GraphClient, sender: SenderAccount, template_id: str
) -> TemplateSubmission:
    """What the platform has decided. Raises UpstreamError."""
    answer = await graph.ask("GET", sender, template_id, query={"fields": "status,rejected_reason"})
    return _submitted(template_id, answer)


async def remove(
    graph: GraphClient, sender: SenderAccount, *, name: str, template_id: str | None
) -> None:
    """Remove a template, in all its languages unless its id is told. Raises UpstreamError."""
    query = {"name": name} if template_id is None else {"name": name, "hsm_id": template_id}
    await graph.ask("DELETE", sender, f"{account_of(sender)}/message_templates", query=query)


def account_of(sender: SenderAccount) -> str:
    """The business account of a number. Raises UpstreamError for an account that has none."""
    if sender.account_id is None:
        raise UpstreamError("100", "Only numbers have templates and flows.")
    return sender.account_id


def _submitted(template_id: str, answer: Mapping[str, object]) -> TemplateSubmission:
    status = TEMPLATES.get(word_of(answer, "status"), "pending")
    reason = rejection_of(answer, "rejected_reason")
    return TemplateSubmission(template_id, status, reason and reason[:500])


# The interface's components in the platform's shape ----------------------------------------------


def components_of(
    components: Sequence[Component], *, category: str, handle: str | None = None
) -> list[dict[str, object]]:
    """The components to hand in. `handle`: what the platform calls the example of a header's file.

    In a template for log-ins the text is the platform's own, and a footer says something else.
    """
    if category == "authentication":
        return [
            _component_of_codes(one) for one in components if one["type"] in ("BODY", "BUTTONS")
        ]
    return [_component(one, handle) for one in components]


def example_address(components: Sequence[Component]) -> str | None:
    """Where the example of a header's file lies."""
    for one in components:
        payload = one.get("payload") or {}
        if one["type"] == "HEADER" and payload.get("format") in _FILES:
            example: str | None = payload.get("example")
            return example
    return None


def _component_of_codes(component: Component) -> dict[str, object]:
    return _buttons(component) if component["type"] == "BUTTONS" else {"type": component["type"]}


def _component(component: Component, handle: str | None) -> dict[str, object]:
    if component["type"] == "BUTTONS":
        return _buttons(component)
    payload = component.get("payload") or {}
    fields = {name: value for name, value in payload.items() if name != "example"}
    return {
        "type": component["type"],
        **fields,
        **some(example=_example(component["type"], payload, handle)),
    }


def _example(type: str, payload: Component, handle: str | None) -> object:
    given = payload.get("example")
    if type == "HEADER" and payload.get("format") in _FILES:
        return {"header_handle": [handle]} if handle else None
    if type == "HEADER" and given:
        return {"header_text": _listed(given)}
    if type == "BODY" and given:
        return {"body_text": [_listed(given)]}
    return given


def _buttons(component: Component) -> dict[str, object]:
    return {"type": "BUTTONS", "buttons": [_button(one) for one in component["payload"]["buttons"]]}


def _button(button: Component) -> dict[str, object]:
    match button["type"]:
        case "URL":
            return {
                **button,
                **({"example": _listed(button["example"])} if button.get("example") else {}),
            }
        case "PHONE_NUMBER":
            return {
                "type": "PHONE_NUMBER",
                "text": button["text"],
                "phone_number": button["phoneNumber"],
            }
        case "FLOW":
            screen = button.get("navigateScreen")
            action = (
                {} if screen is None else {"flow_action": "navigate", "navigate_screen": screen}
            )
            return {"type": "FLOW", "text": button["text"], "flow_id": button["flowId"], **action}
        case "OTP":
            kind = button.get("otpType", "COPY_CODE")
            app = {
                "package_name": button.get("packageName"),
                "signature_hash": button.get("signatureHash"),
            }
            apps = {} if kind == "COPY_CODE" else {"supported_apps": [app]}
            return {"type": "OTP", "otp_type": kind, **some(text=button.get("text")), **apps}
        case _:
            return dict(button)


def _listed(example: object) -> list[object]:
    return list(example) if isinstance(example, list | tuple) else [example]
