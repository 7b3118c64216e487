"""The platform's webhook: changes as stored, and the notices that a worker reads from them."""

from core.providers.meta.webhook.changes import (
    FIELDS,
    INSTAGRAM,
    PlatformChange,
    UnreadableNotice,
    split,
)
from core.providers.meta.webhook.notices import notices_of

__all__ = ["FIELDS", "INSTAGRAM", "PlatformChange", "UnreadableNotice", "notices_of", "split"]
