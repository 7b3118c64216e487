"""Registering a device at each opening of its app, and its opt-out."""

import hashlib
import re
from base64 import urlsafe_b64decode
from typing import cast

from core import contacts
from core.foundation.absent import existing
from core.foundation.clock import now, wire_time
from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.foundation.errors import NotFound
from core.foundation.http_client import OutboundRefused, check_url
from core.foundation.ids import is_id, new_id
from core.foundation.security.caller import Caller, Scope
from core.push.apps import check_app
from core.push.device_record import OptedOutDevice, RegisteredDevice, device_record
from core.push.errors import BrowserKeysMissing, UnusableEndpoint
from core.push.inputs import DeviceOptOut, NewDevice
from core.push.models import Platform, PushDevice
from core.webhooks import policy

BROWSER_KEYS = {"p256dh": 65, "auth": 16}
"""Bytes of each (RFC 8291)."""

PLATFORM_OF_APP = {("apns",): Platform.IOS, ("vapid",): Platform.WEB}
"""What an app with these providers alone runs on; Firebase reaches Android and iOS, so that it
tells nothing.
"""


async def register_device(caller: Caller, new: NewDevice) -> RegisteredDevice:
    """Store the device, or what is new of it: there is one for each app and token. A device that
    was given up for gone is back. `warnings` tell of a platform that neither the device nor its app
    says.

    Raises BrowserKeysMissing, UnusableEndpoint, NoSuchApp, and NotFound for the contact.
    """
    caller.require(Scope.PUSH_SEND)
    at = now()
    platform = new.platform or await _stored_platform(caller, new)
    guessed = platform is None
    platform = platform or platform_of(new)
    if platform is Platform.WEB:
        _check_browser(caller, new)
    identity = contacts.phone_identity(caller, new.user_phone) if new.user_phone else None
    async with transaction():
        await check_app(caller, new.app_id, at=at)
        row = await db.fetch_one(
            REGISTER,
            caller.organization_id,
            caller.env,
            new_id("dev"),
            new.app_id,
            new.token,
            token_hash(new.token),
            platform,
            new.platform,
            new.p256dh,
            new.auth,
            new.external_id,
            await _contact_of(caller, new, identity),
            new.user_name,
            new.user_email,
            new.user_phone,
            new.device_name,
            new.topics,
            new.opted_in,
            at,
            identity,
        )
    known = {**device_record(row), "criado": row["created"]}
    record = cast(RegisteredDevice, known)
    if guessed:
        record["warnings"] = [f"platform_presumida: {platform}"]
    return record


async def opt_out_device(caller: Caller, wish: DeviceOptOut) -> OptedOutDevice:
    """Nothing is sent to the device any more; its row stays. Raises NotFound.

    It counts for the notification that reached the device last.
    """
    caller.require(Scope.PUSH_SEND)
    at = now()
    scope = (caller.organization_id, caller.env)
    async with transaction():
        found = PushDevice.visible_to(caller).filter(token_hash=token_hash(wish.token))
        device = existing(await found.select_for_update().get_or_none(app_id=wish.app_id))
        if device.opted_in:
            device.opted_in, device.opted_out_at, device.updated_at = False, at, at
            await device.save(update_fields=("opted_in", "opted_out_at", "updated_at"))
            await db.execute(COUNT_OPT_OUT, *scope, device.id)
    opted_out_at = device.opted_out_at or device.updated_at
    return {"id": device.id, "optedIn": False, "optedOutAt": wire_time(opted_out_at)}


def token_hash(token: str) -> bytes:
    """What a device is found by."""
    return hashlib.sha256(token.encode()).digest()


async def _stored_platform(caller: Caller, new: NewDevice) -> Platform | None:
    """The platform that is stored of the device, else the one of its app; None where neither is
    known.
    """
    row = await db.fetchrow(
        KNOWN, caller.organization_id, caller.env, token_hash(new.token), new.app_id
    )
    if row is None:
        return None
    return (
        Platform(row["platform"])
        if row["platform"]
        else PLATFORM_OF_APP.get(tuple(row["providers"]))
    )


def platform_of(new: NewDevice) -> Platform:
    """The platform that the token looks like."""
    if new.p256dh or new.auth or new.token.startswith("https://"):
        return Platform.WEB
    return (
        Platform.IOS if re.fullmatch(r"([0-9a-fA-F]{2}){32,100}", new.token) else Platform.ANDROID
    )


def _check_browser(caller: Caller, new: NewDevice) -> None:
    """Both keys; and, live, keys and an address that can be used: the address comes from whoever
    runs the app.
    """
    if missing := [name for name in BROWSER_KEYS if getattr(new, name) is None]:
        raise BrowserKeysMissing(missing)
    if caller.env != "live":
        return
    try:
        check_url(new.token, policy())
    except OutboundRefused:
        raise UnusableEndpoint from None
    if wrong := [
        name for name, length in BROWSER_KEYS.items() if _length_of(getattr(new, name)) != length
    ]:
        raise BrowserKeysMissing(wrong)


def _length_of(text: str) -> int:
    try:
        return len(
            urlsafe_b64decode(
                text.translate(str.maketrans("+/", "-_")).rstrip("=")
                + "=" * (-len(text.rstrip("=")) % 4)
            )
        )
    except ValueError:
        return -1


async def _contact_of(caller: Caller, new: NewDevice, identity: bytes | None) -> str | None:
    """The contact that was named, or the one that the identification leads to; `identity`: the hash
    of its user's phone.
    """
    scope = (caller.organization_id, caller.env)
    if new.contact_id is not None:
        if not (is_id("cnt", new.contact_id) and await db.fetchval(HELD, *scope, new.contact_id)):
            raise NotFound("There is no such contact here; leave contactId out or send another.")
        return new.contact_id
    found: str | None = await db.fetchval(CONTACT, *scope, new.external_id, identity)
    # It stays while the device is linked to it: an erasure finds the device, or ends before.
    return found and await db.fetchval(HELD, *scope, found)


CONTACT = """
SELECT id FROM (
    SELECT id, 1 AS place FROM contacts WHERE organization_id = $1 AND env = $2 AND external_id = $3
    UNION ALL
    SELECT id, 2 FROM contacts WHERE organization_id = $1 AND env = $2 AND identity = $4
) found ORDER BY place LIMIT 1
"""

HELD = """
SELECT id FROM contacts WHERE organization_id = $1 AND env = $2 AND id = $3 FOR KEY SHARE
"""

KNOWN = """
SELECT a.providers, d.platform FROM push_apps a
LEFT JOIN push_devices d ON d.organization_id = a.organization_id AND d.env = a.env AND d.app_id = a.app_id
  AND d.token_hash = $3
WHERE a.organization_id = $1 AND a.env = $2 AND a.app_id = $4
"""

REGISTER = """
INSERT INTO push_devices AS d
    (organization_id, env, id, app_id, token, token_hash, platform, p256dh, auth, external_id, contact_id, user_name,
     user_email, user_phone, device_name, topics, opted_in, opted_out_at, created_at, updated_at, user_identity)
VALUES ($1, $2, $3, $4, $5, $6, $7, $9, $10, $11, $12, $13, $14, $15, $16, coalesce($17::text[], '{}'),
        coalesce($18::bool, true), CASE WHEN NOT $18 THEN $19::timestamptz END, $19, $19, $20)
ON CONFLICT (organization_id, env, token_hash, app_id) DO UPDATE SET
    platform = coalesce($8::text, d.platform),
    p256dh = coalesce($9, d.p256dh), auth = coalesce($10, d.auth),
    external_id = coalesce($11, d.external_id), contact_id = coalesce($12, d.contact_id),
    user_name = coalesce($13, d.user_name), user_email = coalesce($14, d.user_email),
    user_phone = coalesce($15, d.user_phone), user_identity = coalesce($20, d.user_identity),
    device_name = coalesce($16, d.device_name), topics = coalesce($17, d.topics),
    opted_in = coalesce($18, d.opted_in),
    opted_out_at = CASE WHEN $18 THEN NULL WHEN NOT $18 AND d.opted_in THEN $19 ELSE d.opted_out_at END,
    deactivated_at = NULL, updated_at = $19
RETURNING *, xmax = 0 AS created
"""

COUNT_OPT_OUT = """
UPDATE push_dispatches SET opted_out = opted_out + 1
WHERE organization_id = $1 AND env = $2 AND id = (
    SELECT dispatch_id FROM push_deliveries
    WHERE organization_id = $1 AND device_id = $3 AND status = 'delivered' ORDER BY settled_at DESC LIMIT 1)
"""
