"""E-mail for tests."""

import itertools
from datetime import timedelta
from typing import Any

from core import email, wallet
from core.email.models import SenderVerification
from core.foundation.clock import now
from core.foundation.ids import new_id
from core.foundation.security.caller import Caller
from core.providers import registry
from core.providers.smtp import PROVIDER
from tests.factories.live import a_live_caller

_keys = itertools.count(1)

SENDER = "loja@example.com"


def a_new_email(**changes: Any) -> email.NewEmail:
    """A short e-mail that arrives; `changes` are fields of the body by their name."""
    body = {
        "to": "ana@example.org",
        "from": SENDER,
        "subject": "Pedido 1042",
        "text": "Saiu para entrega.",
        **changes,
    }
    return email.NewEmail.model_validate(
        {name: value for name, value in body.items() if value is not ...}
    )


async def an_email(caller: Caller, *, key: str | None = None, **changes: Any) -> dict[str, Any]:
    """Send one e-mail under a key of its own, or the one given; answers the record."""
    key = key or f"mail-{next(_keys)}"
    return {**await email.send_message(caller, a_new_email(**changes), idempotency_key=key)}


async def a_stored_email(caller: Caller) -> str:
    """An e-mail that was accepted, in either environment; answers its id."""
    if caller.env == "live":
        await wallet.credit(caller.organization_id, "live", 10)
        await email.verify_sender(caller, email.NewSender(address=SENDER))
        before, relay = registry.for_mail(), NoRelayIsAsked()
        registry.carry_mail_by(before or relay)
        try:
            return str((await an_email(caller))["id"])
        finally:
            registry.carry_mail_by(before)
    return str((await an_email(caller))["id"])


class NoRelayIsAsked:
    """Who carries e-mails where none is handed over."""

    name = PROVIDER
    lines = 1

    async def hand_over(self, *_: Any) -> Any:
        """Nothing here hands over."""
        raise AssertionError("no letter is handed over here")


async def a_sender(coins: int = 100_000) -> Caller:
    """A live caller with money and a verified sender."""
    caller = await a_live_caller(coins)
    await email.verify_sender(caller, email.NewSender(address=SENDER))
    return caller


async def carried() -> int:
    """Let the worker hand over what is due."""
    return await email.hand_over_due(at=now())


async def a_requested_sender(caller: Caller, address: str) -> str:
    """A sender that waits to be verified, as if a letter had gone out; answers its id."""
    at, id = now(), new_id("snd")
    await SenderVerification.create(
        id=id,
        organization_id=caller.organization_id,
        env=caller.env,
        address=address,
        code_hash=None if address.startswith("@") else b"hash",
        created_at=at,
        expires_at=at + timedelta(days=1),
        due_at=at + timedelta(minutes=1),
    )
    return id
