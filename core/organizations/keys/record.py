"""What may be shown of a key after its issue."""

from datetime import datetime
from typing import Any

from core.foundation.clock import wire_time
from core.organizations.keys.status import status_of
from core.organizations.models import ApiKey


def key_record(key: ApiKey, *, at: datetime) -> dict[str, Any]:
    """The record of a key as it stands at that moment; never the key itself. What is not set is
    left out.
    """
    record = {
        "id": key.id,
        "nome": key.name,
        "env": key.env,
        "prefixo": key.prefix,
        "scopes": key.scopes,
        "ips": key.ips,
        "status": status_of(key, at=at),
        "expiraEm": _shown(key.expires_at),
        "createdById": key.created_by_id,
        "createdAt": wire_time(key.created_at),
        "lastUsedAt": _shown(key.last_used_at),
        "revokedAt": _shown(key.revoked_at),
        "replacedById": key.replaced_by_id,
    }
    return {name: value for name, value in record.items() if value is not None}


def _shown(at: datetime | None) -> str | None:
    return wire_time(at) if at else None
