"""Replacing a key by a new one, with a time in which both open."""

from datetime import timedelta

from core import audit, webhooks
from core.foundation.clock import real_now, wire_time
from core.foundation.dry_run import refuse_dry_run
from core.foundation.security.caller import Caller, Scope
from core.organizations.keys.errors import KeyAlreadyRotated
from core.organizations.keys.inputs import KeyRotation
from core.organizations.keys.issue import draw_key, event_data
from core.organizations.keys.owner import in_environment_of, key_for_change
from core.organizations.keys.record import IssuedKey, key_record
from core.organizations.keys.status import refuse_ended


async def rotate_key(caller: Caller, id: str, rotation: KeyRotation) -> IssuedKey:
    """Issue a key like this one, and let this one end after the overlap: the new record and `key`,
    shown here only.

    The new key has the same name, environment, scopes and networks, and as long a life as the old
    one was given. The old one never ends later than it would have. Publishes apikey.rotated, which
    tells of the key that was replaced, of its replacement, and of who did it. Raises NoSuchKey,
    KeyRevoked, KeyExpired and KeyAlreadyRotated.
    """
    caller.require(Scope.KEYS_MANAGE)
    refuse_dry_run()
    async with key_for_change(caller, id) as old:
        at = real_now()
        if old.replaced_by_id is not None:
            raise KeyAlreadyRotated(old.replaced_by_id)
        refuse_ended(old, at=at)
        there = in_environment_of(caller, old)
        new, text = await draw_key(
            there,
            env=there.env,
            name=old.name,
            scopes=old.scopes,
            ips=old.ips,
            expires_at=at + (old.expires_at - old.created_at) if old.expires_at else None,
            at=at,
        )
        end = at + timedelta(hours=rotation.overlap_hours)
        old.expires_at = min(end, old.expires_at or end)
        old.replaced_by_id = new.id
        await old.save(update_fields=["expires_at", "replaced_by_id"])
        await webhooks.transfer_subscriptions(there, id, to=new.id, until=new.expires_at, at=at)
        told = {**event_data(new), "keyId": old.id, "replacedById": new.id}
        await webhooks.publish(there, "apikey.rotated", told, at=at)
        facts = {"replacedById": new.id, "endsAt": wire_time(old.expires_at)}
        await audit.write_entry(there, "apikey.rotated", old.id, facts, at=at)
    return {**key_record(new), "key": text}
