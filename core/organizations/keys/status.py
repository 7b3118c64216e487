"""The status of a key: active, expired or revoked."""

from datetime import datetime

from core.organizations.keys.errors import KeyExpired, KeyRevoked
from core.organizations.models import ApiKey


def status_of(key: ApiKey, *, at: datetime) -> str:
    """`ativa`, `expirada` or `revogada`."""
    if key.revoked_at is not None:
        return "revogada"
    return "expirada" if key.expires_at is not None and key.expires_at <= at else "ativa"


def refuse_ended(key: ApiKey, *, at: datetime) -> None:
    """Raises KeyRevoked or KeyExpired."""
    match status_of(key, at=at):
        case "revogada":
            raise KeyRevoked
        case "expirada":
            raise KeyExpired
