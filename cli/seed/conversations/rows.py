"""Messages of past conversations as rows of the messages table, and the money that they moved."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

import orjson

from cli.seed.conversations.draw import PastMessage
from core import wallet
from core.conversations.reasons import reason_of
from core.messaging import Direction
from core.providers import meta, sandbox
from core.providers.sandbox.conversations import WORDS
from core.templates import Template
from core.templates.sending import TemplateForm

COLUMNS = (
    "id", "organization_id", "env", "channel", "direction", "status", "reason", "recipient",
    "provider",
    "provider_reference", "coins", "contact_id", "campaign_id", "content", "number_id",
    "instagram_account_id",
    "template_id", "template_vars", "type", "priority", "force", "attempts", "last_error",
    "original_error",
    "upstream_code", "link_origin", "sent_by_account_id", "in_reply_to", "metadata", "created_at",
    "sent_at",
    "delivered_at", "read_at", "failed_at", "updated_at",
)  # fmt: skip

PROVIDERS = {"test": (sandbox.PROVIDER, "wamid.sbx."), "live": (meta.PROVIDER, "wamid.")}
"""Who carried the messages, and how its references begin."""


def row_of(
    owner: wallet.Owner,
    id: str,
    said: PastMessage,
    *,
    sender: tuple[str | None, str | None],
    template: Template | None,
    original: str | None,
    coins: int,
) -> tuple[Any, ...]:
    """A message. `sender`: the number or the Instagram account; `original`: the message that it
    answers.
    """
    provider, mark = PROVIDERS[owner[1]]
    error = WORDS[said.code] if said.code else None
    inbound = said.inbound
    return (
        id, *owner, said.channel.value,
        (Direction.INBOUND if inbound else Direction.OUTBOUND).value,
        said.status.value, reason_of(said.code).value if said.code else None,
        said.recipient.phone, provider,
        mark + id[4:], coins, said.recipient.contact_id, said.campaign_id,
        _json(_content(said, template)), *sender,
        template and template.id, _json(said.vars) if template else None, _type(said),
        "bulk" if said.campaign_id else "normal", "f", 0 if inbound else 1, error, error, said.code,
        _json(said.origin) if said.origin else None, said.operator and said.operator.id, original,
        _json({"pedido": said.order}) if template else None, said.created_at, said.sent_at,
        said.delivered_at,
        said.read_at, said.failed_at, said.moved_at,
    )  # fmt: skip


def transfers_of(
    owner: wallet.Owner, id: str, said: PastMessage, coins: int
) -> Iterator[tuple[datetime, wallet.Transfer]]:
    """What it moved: held when it was written down, captured when it left."""
    if coins and said.sent_at:
        yield said.created_at, wallet.hold(owner, id, coins)
        yield said.sent_at, wallet.capture(owner, id, coins)


def _type(said: PastMessage) -> str:
    if said.template is not None:
        return "template"
    return "text" if said.tapped is None else "interactive"


def _content(said: PastMessage, template: Template | None) -> dict[str, Any]:
    if template is not None:
        return TemplateForm.of(template).filled(said.vars)
    if said.tapped is not None:
        return {"kind": "button_reply", "id": str(said.tapped), "title": said.text}
    return {"text": said.text}


def _json(value: Any) -> str:
    return orjson.dumps(value).decode()
