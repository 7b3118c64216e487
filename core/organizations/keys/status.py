"""The status of a key: active, expired or revoked."""

from datetime import datetime

from core.foundation.described_enum import DescribedEnum
from core.organizations.keys.errors import KeyExpired, KeyRevoked
from core.organizations.models import ApiKey


class KeyStatus(DescribedEnum, rest="ApiKeyStatus", graphql="ApiKeyStatus"):
    """Whether a key opens."""

    ACTIVE = "ativa", "It opens"
    EXPIRED = "expirada", "Its time ran out"
    REVOKED = "revogada", "It was taken back"


def status_at(
    revoked_at: datetime | str | None, expires_at: datetime | None, at: datetime
) -> KeyStatus:
    """How a key with these two columns stands at that moment."""
    if revoked_at is not None:
        return KeyStatus.REVOKED
    ended = expires_at is not None and expires_at <= at
    return KeyStatus.EXPIRED if ended else KeyStatus.ACTIVE


def refuse_ended(key: ApiKey, *, at: datetime) -> None:
    """Raises KeyRevoked or KeyExpired."""
    match status_at(key.revoked_at, key.expires_at, at):
        case KeyStatus.REVOKED:
            raise KeyRevoked
        case KeyStatus.EXPIRED:
            raise KeyExpired
