"""Scopes: what a key may hold, what one implies, what is never granted."""

import pytest

from core.foundation.errors import Forbidden
from core.foundation.security.caller import (
    DEFAULT_KEY_SCOPES,
    IMPLIED,
    KEY_SCOPES,
    SESSION_ONLY,
    Caller,
    Scope,
    system_caller,
    with_implied,
)

CATALOGUE = [
    "sms:read", "sms:send", "rcs:read", "rcs:send", "email:read", "email:send", "push:read", "push:send",
    "push:settings", "messages:read", "messages:send", "messages:force", "numbers:read", "media:read", "media:write",
    "templates:read", "templates:write", "flows:read", "flows:write", "contacts:read", "contacts:write",
    "contacts:pii", "pii:full", "campaigns:read", "campaigns:write", "crm:read", "crm:write", "crm:delete",
    "webhooks:read", "webhooks:write", "wallet:read", "audit:read", "keys:manage",
    "accounts:manage",
]  # fmt: skip


def a_caller(*scopes: Scope) -> Caller:
    return Caller("org_1", "test", with_implied(frozenset(scopes)))


def test_the_catalogue_is_the_documented_one() -> None:
    assert sorted(Scope) == sorted(CATALOGUE)


def test_session_scopes_are_no_keys() -> None:
    assert {Scope.CONTACTS_PII, Scope.KEYS_MANAGE, Scope.ACCOUNTS_MANAGE} == SESSION_ONLY
    assert not SESSION_ONLY & KEY_SCOPES


def test_all_means_every_scope_that_a_key_may_hold() -> None:
    assert frozenset(Scope) - SESSION_ONLY == KEY_SCOPES
    assert {Scope.PII_FULL, Scope.MESSAGES_FORCE, Scope.CRM_DELETE} < KEY_SCOPES


def test_the_default_leaves_out_what_must_be_asked_for() -> None:
    asked_for = {Scope.PII_FULL, Scope.MESSAGES_FORCE, Scope.CRM_DELETE}

    assert asked_for == KEY_SCOPES - DEFAULT_KEY_SCOPES


@pytest.mark.parametrize(
    "implied",
    [
        Scope.NUMBERS_READ,
        Scope.MEDIA_READ,
        Scope.TEMPLATES_READ,
        Scope.FLOWS_READ,
        Scope.EMAIL_READ,
    ],
)
def test_messages_read_also_reads_what_it_read_before_there_were_more_scopes(
    implied: Scope,
) -> None:
    a_caller(Scope.MESSAGES_READ).require(implied)
    with pytest.raises(Forbidden):
        a_caller(implied).require(Scope.MESSAGES_READ)


def test_who_may_send_may_upload_what_is_sent() -> None:
    a_caller(Scope.MESSAGES_SEND).require(Scope.MEDIA_WRITE)
    with pytest.raises(Forbidden):
        a_caller(Scope.MEDIA_WRITE).require(Scope.MESSAGES_SEND)


def test_to_read_implies_no_write_and_nothing_implies_personal_data() -> None:
    granted = {scope for implied in IMPLIED.values() for scope in implied}

    assert all(scope.value.endswith(":read") for scope in IMPLIED[Scope.MESSAGES_READ])
    assert granted & {Scope.PII_FULL, *SESSION_ONLY} == set()


@pytest.mark.parametrize("scope", Scope)
def test_a_caller_needs_the_scope_itself(scope: Scope) -> None:
    a_caller(scope).require(scope)
    others = (
        frozenset(Scope) - {scope} - {wide for wide, implied in IMPLIED.items() if scope in implied}
    )

    with pytest.raises(Forbidden) as refused:
        a_caller(*others).require(scope)

    assert refused.value.meta == {"escopoExigido": scope.value}
    assert not a_caller(*others).may(scope)


def test_personal_data_is_seen_with_pii_full_only() -> None:
    assert a_caller(Scope.PII_FULL).sees_personal_data
    assert not a_caller(*(frozenset(Scope) - {Scope.PII_FULL})).sees_personal_data


def test_the_service_itself_may_everything_in_one_organization_and_environment() -> None:
    caller = system_caller("org_1", "live", request_id="req_1")

    assert all(caller.may(scope) for scope in Scope)
    assert (caller.organization_id, caller.env, caller.request_id, caller.kind) == (
        "org_1",
        "live",
        "req_1",
        "system",
    )
    assert (caller.credential_id, caller.account_id) == (None, None)


def test_a_caller_cannot_be_widened() -> None:
    caller = a_caller(Scope.SMS_READ)

    with pytest.raises(AttributeError):
        caller.scopes = frozenset(Scope)  # type: ignore[misc]
    assert caller.scopes == {Scope.SMS_READ}
