"""The scopes that a key can hold, by name."""

import pytest

from core.foundation.errors import ValidationFailed
from core.foundation.security.caller import DEFAULT_KEY_SCOPES, KEY_SCOPES, SESSION_ONLY, Scope
from core.organizations import NewKey, scopes_named


def test_no_names_mean_the_default_and_all_means_all_of_a_keys() -> None:
    assert scopes_named(None) == DEFAULT_KEY_SCOPES
    assert scopes_named("all") == KEY_SCOPES


@pytest.mark.parametrize(
    ("names", "scopes"),
    [
        ("sms:send", {Scope.SMS_SEND}),
        ("sms:send,sms:read", {Scope.SMS_SEND, Scope.SMS_READ}),
        (" sms:send , sms:read, ", {Scope.SMS_SEND, Scope.SMS_READ}),
        ("sms:send,sms:send", {Scope.SMS_SEND}),
        ("pii:full,crm:delete", {Scope.PII_FULL, Scope.CRM_DELETE}),
    ],
)
def test_scopes_are_a_comma_separated_list(names: str, scopes: set[Scope]) -> None:
    assert scopes_named(names) == scopes


@pytest.mark.parametrize(
    "names",
    [
        "",
        " ",
        ",",
        "sms",
        "sms:*",
        "SMS:SEND",
        "sms:send;sms:read",
        "all,sms:read",
        "contacts:pii",
        "sms:send,keys:manage",
    ],
)
def test_an_unknown_scope_or_one_of_sessions_is_refused(names: str) -> None:
    with pytest.raises(ValidationFailed):
        scopes_named(names)


def test_each_wrong_scope_is_named_with_what_was_meant() -> None:
    with pytest.raises(ValidationFailed) as refused:
        scopes_named("sms:sent, sms:read, keys:manage, zzz")

    assert [(error.where, error.message) for error in refused.value.errors] == [
        ("/scopes/0", "This scope does not exist; did you mean sms:send?"),
        ("/scopes/2", "Only a session holds this scope; a key never does"),
        ("/scopes/3", "This scope does not exist; the documentation lists those that do"),
    ]


def test_the_documented_scopes_of_a_key_are_those_that_it_can_hold() -> None:
    schema = NewKey.model_json_schema()["properties"]["scopes"]["items"]

    assert set(schema["enum"]) == KEY_SCOPES
    assert not SESSION_ONLY & set(schema["enum"])
