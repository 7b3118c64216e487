"""Encoding outgoing messages in the platform's shape."""

from collections.abc import Callable, Mapping
from typing import Any

from core.providers.meta.errors import sentence_of
from core.providers.meta.untrusted_json import some
from core.providers.platform import OutgoingMessage, Rejection, SenderAccount

Payload = Mapping[str, Any]
Body = dict[str, Any]

UNSUPPORTED = "131051"


def body_of(sender: SenderAccount, outgoing: OutgoingMessage) -> Body | Rejection:
    """The request that sends a message; a refusal of ours where the channel has nothing like it."""
    try:
        if sender.channel == "instagram":
            return _instagram(outgoing)
        return _number(outgoing)
    except (KeyError, TypeError, AttributeError):
        # The entry points refuse such a payload; one that is stored all the same must not stop those
        # behind it.
        return Rejection(UNSUPPORTED, sentence_of(UNSUPPORTED))


# Numbers -----------------------------------------------------------------------------------------


def _number(outgoing: OutgoingMessage) -> Body:
    type, content = _CONTENTS[outgoing.type](outgoing.payload)
    body: Body = {
        "messaging_product": "whatsapp",
        "recipient_type": "individual",
        "to": outgoing.to,
        "type": type,
        type: content,
        # Comes back in each report.
        "biz_opaque_callback_data": outgoing.id,
    }
    if outgoing.reply_to is not None:
        body["context"] = {"message_id": outgoing.reply_to}
    return body


def _text(payload: Payload) -> tuple[str, Body]:
    return "text", {"body": payload["text"], "preview_url": payload.get("previewUrl") is True}


def _media(payload: Payload) -> tuple[str, Body]:
    kind, media = payload["kind"], payload["media"]
    content: Body = {
        "id": media["id"],
        **some(caption=media.get("caption"), filename=media.get("filename")),
    }
    if media.get("voice") is True:
        content["voice"] = True
    return kind, content


def _template(payload: Payload) -> tuple[str, Body]:
    language = {"code": language_of(payload["language"]), "policy": "deterministic"}
    return "template", {
        "name": payload["name"],
        "language": language,
        "components": list(payload["components"]),
    }


def language_of(language: str) -> str:
    """The platform's spelling of a language: pt_BR."""
    return language.replace("-", "_")


def _interactive(payload: Payload) -> tuple[str, Body]:
    type, action = _ACTIONS[payload["kind"]](payload)
    content: Body = {"type": type, "body": {"text": payload["body"]}, "action": action}
    if (header := _header(payload.get("header"))) is not None:
        content["header"] = header
    if payload.get("footer") is not None:
        content["footer"] = {"text": payload["footer"]}
    return "interactive", content


def _header(header: Any) -> Body | None:
    if header is None:
        return None
    if isinstance(header, str):
        return {"type": "text", "text": header}
    kind = header.get("kind", "text")
    if kind == "text":
        return {"type": "text", "text": header["text"]}
    media = header["media"]
    return {"type": kind, kind: {"id": media["id"], **some(filename=media.get("filename"))}}


def _buttons(payload: Payload) -> tuple[str, Body]:
    replies = [
        {"type": "reply", "reply": {"id": one["id"], "title": one["title"]}}
        for one in payload["buttons"]
    ]
    return "button", {"buttons": replies}


def _list(payload: Payload) -> tuple[str, Body]:
    sections = [
        {
            **some(title=section.get("title")),
            "rows": [
                {"id": row["id"], "title": row["title"], **some(description=row.get("description"))}
                for row in section["rows"]
            ],
        }
        for section in payload["sections"]
    ]
    return "list", {"button": payload["buttonText"], "sections": sections}


def _cta_url(payload: Payload) -> tuple[str, Body]:
    return "cta_url", {
        "name": "cta_url",
        "parameters": {"display_text": payload["buttonText"], "url": payload["url"]},
    }


def _flow(payload: Payload) -> tuple[str, Body]:
    parameters: Body = {
        "flow_message_version": "3",
        "flow_id": payload["flowId"],
        "flow_cta": payload["buttonText"],
        "flow_token": payload.get("token") or "unused",  # required, and only said back
        "flow_action": "navigate",
    }
    if payload.get("screen") is not None:
        # Data belongs to a screen, and an empty object is refused.
        parameters["flow_action_payload"] = {
            "screen": payload["screen"],
            **some(data=payload.get("data") or None),
        }
    return "flow", {"name": "flow", "parameters": parameters}


_CONTENTS: dict[str, Callable[[Payload], tuple[str, Body]]] = {
    "text": _text,
    "media": _media,
    "template": _template,
    "interactive": _interactive,
}

_ACTIONS: dict[str, Callable[[Payload], tuple[str, Body]]] = {
    "buttons": _buttons,
    "list": _list,
    "cta_url": _cta_url,
    "flow": _flow,
}


# Instagram accounts ------------------------------------------------------------------------------

_ATTACHMENTS = {"image": "image", "video": "video", "audio": "audio", "document": "file"}


def _instagram(outgoing: OutgoingMessage) -> Body | Rejection:
    message = _instagram_message(outgoing)
    if message is None:
        return Rejection(UNSUPPORTED, sentence_of(UNSUPPORTED))
    body: Body = {"recipient": {"id": outgoing.to}, "message": message}
    if outgoing.reply_to is not None:
        body["reply_to"] = {"mid": outgoing.reply_to}
    return body


def _instagram_message(outgoing: OutgoingMessage) -> Body | None:
    """Texts, files, and buttons that answer; the channel has no templates, menus or flows."""
    payload = outgoing.payload
    if outgoing.type == "text":
        return {"text": payload["text"]}
    if outgoing.type == "media" and payload["kind"] in _ATTACHMENTS:
        type = _ATTACHMENTS[payload["kind"]]
        return {"attachment": {"type": type, "payload": {"attachment_id": payload["media"]["id"]}}}
    if outgoing.type == "interactive" and payload["kind"] == "buttons":
        replies = [
            {"content_type": "text", "title": one["title"], "payload": one["id"]}
            for one in payload["buttons"]
        ]
        return {"text": payload["body"], "quick_replies": replies}
    return None
