"""Changing a key: its name, fewer scopes, other networks."""

from typing import Any

from core import audit, webhooks
from core.foundation.clock import real_now
from core.foundation.security.caller import Caller, Scope, with_implied
from core.organizations.keys.errors import WiderScopes
from core.organizations.keys.inputs import KeyChanges
from core.organizations.keys.owner import in_environment_of, key_for_change
from core.organizations.keys.record import KeyRecord, key_record
from core.organizations.keys.status import refuse_ended
from core.organizations.models import ApiKey


async def change_key(caller: Caller, id: str, changes: KeyChanges) -> KeyRecord:
    """Change what was sent and nothing else; answers the record.

    Scopes may become fewer, never more. Raises NoSuchKey, KeyRevoked, KeyExpired and WiderScopes.
    """
    caller.require(Scope.KEYS_MANAGE)
    async with key_for_change(caller, id) as key:
        at = real_now()
        refuse_ended(key, at=at)
        if changes.scopes is not None:
            _refuse_wider(key, changes.scopes)
        changed = {
            column: value
            for column, value in _sent(changes).items()
            if getattr(key, column) != value
        }
        if changed:
            await key.update_from_dict(changed).save(update_fields=list(changed))
            there = in_environment_of(caller, key)
            if Scope.PII_FULL not in key.scopes:
                await webhooks.mask_personal_data(there, keys=[id], at=at)
            facts = {"changed": list(changed), "scopes": key.scopes, "networks": len(key.ips or ())}
            await audit.write_entry(there, "apikey.changed", id, facts, at=at)
    return key_record(key)


def _refuse_wider(key: ApiKey, scopes: list[Scope]) -> None:
    held = with_implied(frozenset(Scope(scope) for scope in key.scopes))
    wider = [place for place, scope in enumerate(scopes) if scope not in held]
    if wider:
        raise WiderScopes(wider)


def _sent(changes: KeyChanges) -> dict[str, object]:
    """The columns that were sent, with their new values."""
    sent: dict[str, Any] = {}
    if changes.name is not None:
        sent["name"] = changes.name
    if changes.scopes is not None:
        sent["scopes"] = sorted({scope.value for scope in changes.scopes})
    if "ips" in changes.model_fields_set:
        sent["ips"] = changes.ips
    return sent
