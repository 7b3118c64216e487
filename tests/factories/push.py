"""Devices and notifications for tests."""

from typing import Any

from core import push
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.ids import new_id
from core.foundation.security.caller import Caller

BROWSER_KEYS = {
    "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
    "auth": "BTBZMqHH6r4Tts7J_aSIgg",
}
EVERYWHERE = ["ios", "android", "web"]


async def a_device(
    caller: Caller, token: str | None = None, **fields: Any
) -> push.RegisteredDevice:
    """Register a device of the app `loja`, an Android one unless `platform` says otherwise."""
    body = {"appId": "loja", "token": token or new_id("token"), "platform": "android", **fields}
    if body["platform"] == "web":
        body = {**BROWSER_KEYS, **body}
    return await push.register_device(caller, push.NewDevice.model_validate(body))


async def opt_out(caller: Caller, token: str) -> push.OptedOutDevice:
    """Opt the device of this token out."""
    return await push.opt_out_device(
        caller, push.DeviceOptOut.model_validate({"appId": "loja", "token": token})
    )


async def a_dispatch(
    caller: Caller, *, key: str | None = None, **fields: Any
) -> push.DispatchRecord:
    """Send a text to everybody, unless `fields` say otherwise."""
    audience = {} if "tokenIds" in fields else {"segment": "all_opt_in"}
    body = {"title": "Oi", "body": "Tudo bem?", "platforms": EVERYWHERE, **audience, **fields}
    new = push.NewPush.model_validate(body)
    return await push.send_push(caller, new, idempotency_key=key or new_id("key"))


async def drained(caller: Caller, id: str) -> push.DispatchRecord:
    """The dispatch after the sandbox has taken all that is due."""
    while await push.start_due(at=now()):
        pass
    while await push.drain_sandbox(at=now()):
        pass
    return await push.get_push(caller, id)


async def queue_of(id: str) -> dict[str, tuple[str, str | None]]:
    """Status and reason of each device of a dispatch."""
    rows = await db.fetch(
        "SELECT device_id, status, reason FROM push_deliveries WHERE dispatch_id = $1", id
    )
    return {row["device_id"]: (row["status"], row["reason"]) for row in rows}
