"""RCS messages for tests."""

import itertools
from typing import Any

from core import rcs
from core.foundation.security.caller import Caller

_keys = itertools.count(1)

CARD: dict[str, Any] = {
    "title": "Seu pedido",
    "description": "Chega hoje até as 18 h.",
    "fileUrl": "https://cdn.example.com/pedido.png",
    "suggestions": [
        {"type": "openUrl", "text": "Acompanhar", "url": "https://loja.example.com/pedidos/1042"},
        {"type": "call", "text": "Ligar", "phone": "+551140041234"},
        {"type": "reply", "text": "Recebi", "postback": "recebi:1042"},
    ],
}

NO_RCS = "+5511987650006"
FALLBACK = {"text": "Promoção: seu pedido chega hoje."}


def a_new_rcs(**changes: Any) -> rcs.NewRcs:
    """A short text that will be delivered, on the route easy_rcs; `changes` are fields of the body
    by their name.
    """
    return rcs.NewRcs.model_validate(
        {"to": "+5511987650001", "content": {"text": "Hello"}, "route": "easy_rcs", **changes}
    )


async def an_rcs(caller: Caller, *, key: str | None = None, **changes: Any) -> rcs.RcsRecord:
    """Send one RCS message under a key of its own, or the one given; answers the record."""
    return await rcs.send_message(
        caller, a_new_rcs(**changes), idempotency_key=key or f"rcs-{next(_keys)}"
    )
