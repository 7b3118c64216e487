"""Sessions: how a person logs in, and how that ends."""

from core.organizations.sessions.end import end_session
from core.organizations.sessions.errors import (
    AmbiguousOrganization,
    LogInLocked,
    NotASession,
    WrongCredentials,
)
from core.organizations.sessions.inputs import NewSession
from core.organizations.sessions.open import open_session
from core.organizations.sessions.sweep import delete_old_sessions

__all__ = [
    "AmbiguousOrganization",
    "LogInLocked",
    "NewSession",
    "NotASession",
    "WrongCredentials",
    "delete_old_sessions",
    "end_session",
    "open_session",
]
