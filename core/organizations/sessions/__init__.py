"""Sessions: how a person logs in, and how that ends."""

from core.organizations.sessions.end import end_one_session, end_session
from core.organizations.sessions.errors import (
    AmbiguousOrganization,
    LogInLocked,
    NoSuchSession,
    NotASession,
    NotForKeys,
    WrongCredentials,
)
from core.organizations.sessions.inputs import EnvironmentSwitch, NewSession, SessionFilter
from core.organizations.sessions.locks import attempt_of, count_attempt, forgive
from core.organizations.sessions.open import open_session
from core.organizations.sessions.queries import list_sessions
from core.organizations.sessions.record import OpenedSession, SessionPage, SessionRecord
from core.organizations.sessions.sweep import delete_old_sessions
from core.organizations.sessions.switch import switch_environment

__all__ = [
    "AmbiguousOrganization",
    "EnvironmentSwitch",
    "LogInLocked",
    "NewSession",
    "NoSuchSession",
    "NotASession",
    "NotForKeys",
    "OpenedSession",
    "SessionFilter",
    "SessionPage",
    "SessionRecord",
    "WrongCredentials",
    "attempt_of",
    "count_attempt",
    "delete_old_sessions",
    "end_one_session",
    "end_session",
    "forgive",
    "list_sessions",
    "open_session",
    "switch_environment",
]
