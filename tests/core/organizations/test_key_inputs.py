"""What may be said of a key: everything that is wrong is named at once, and nothing is repeated."""

from datetime import UTC, datetime, timedelta
from typing import Any

import orjson
import pytest

from core.foundation.clock import now, wire_time
from core.foundation.errors import ValidationFailed
from core.foundation.security.caller import SESSION_ONLY, Scope
from core.foundation.validation.inputs import Input, read_body
from core.organizations import KeyChanges, KeyRotation, NewKey
from tests.factories.keys import A_KEY


def new(**changes: Any) -> NewKey:
    return read_body(NewKey, orjson.dumps({**A_KEY, **changes}))


def wrong(model: type[Input], body: dict[str, Any]) -> set[tuple[str, str]]:
    """(where, code) of everything that is refused."""
    with pytest.raises(ValidationFailed) as refused:
        read_body(model, orjson.dumps(body))
    return {(error.where, error.code) for error in refused.value.errors}


def wrong_new(**changes: Any) -> set[tuple[str, str]]:
    return wrong(NewKey, {**A_KEY, **changes})


def test_a_name_an_environment_and_scopes_are_required() -> None:
    assert wrong(NewKey, {}) == {
        ("/nome", "required"),
        ("/env", "required"),
        ("/scopes", "required"),
    }


def test_what_is_wrong_is_named_at_once() -> None:
    assert wrong_new(nome=" ", env="prod", scopes=[], ips=[], expiraEm="soon", more=1) == {
        ("/nome", "too_short"),
        ("/env", "not_allowed"),
        ("/scopes", "too_few"),
        ("/ips", "too_few"),
        ("/expiraEm", "wrong_format"),
        ("/more", "unknown_field"),
    }


def test_a_name_is_trimmed_and_has_up_to_120_characters() -> None:
    assert new(nome="  of the shop ").name == "of the shop"
    assert new(nome="x" * 120).name == "x" * 120
    assert wrong_new(nome="x" * 121) == {("/nome", "too_long")}


# Scopes


@pytest.mark.parametrize("scope", sorted(SESSION_ONLY))
def test_a_scope_of_sessions_is_named_by_its_place(scope: Scope) -> None:
    assert wrong_new(scopes=["sms:read", scope.value]) == {("/scopes/1", "session_only")}


@pytest.mark.parametrize("scope", ["sms", "sms:fly", "SMS:READ", "*", ""])
def test_a_scope_that_does_not_exist_is_named_by_its_place(scope: str) -> None:
    assert wrong_new(scopes=[scope, "sms:read", scope]) == {
        ("/scopes/0", "not_allowed"),
        ("/scopes/2", "not_allowed"),
    }


@pytest.mark.parametrize("scope", [1, None, ["sms:read"], {"sms": "read"}])
def test_a_scope_is_a_text(scope: Any) -> None:
    assert wrong_new(scopes=[scope]) == {("/scopes/0", "wrong_type")}


def test_a_refusal_repeats_no_value() -> None:
    with pytest.raises(ValidationFailed) as refused:
        new(
            nome="n" * 200,
            env="secret-env",
            scopes=["secret-scope"],
            ips=["secret-ip"],
            expiraEm="secret-date",
        )

    assert "secret" not in str([refused.value.detail, *refused.value.errors])


# The end


def test_a_key_ends_in_the_future_within_400_days() -> None:
    at = now()
    for end in (at + timedelta(minutes=1), at + timedelta(days=399)):
        assert new(expiraEm=wire_time(end)).expires_at == end.replace(
            microsecond=end.microsecond // 1000 * 1000
        )
    assert new(expiraEm=None).expires_at is None
    assert new().expires_at is None


def test_an_end_without_a_zone_is_utc() -> None:
    day = now().date() + timedelta(days=2)

    assert new(expiraEm=f"{day}T12:00:00").expires_at == datetime(
        day.year, day.month, day.day, 12, tzinfo=UTC
    )


@pytest.mark.parametrize(
    ("days", "code"), [(-1, "too_small"), (0, "too_small"), (401, "too_large")]
)
def test_another_end_is_refused(days: int, code: str) -> None:
    assert wrong_new(expiraEm=wire_time(now() + timedelta(days=days))) == {("/expiraEm", code)}


# Networks


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("203.0.113.7/32", "203.0.113.7"),
        ("203.0.113.0/24", "203.0.113.0/24"),
        ("10.0.0.0/255.0.0.0", "10.0.0.0/8"),
        ("0.0.0.0/0", "0.0.0.0/0"),
        ("2001:DB8::1", "2001:db8::1"),
        ("2001:db8:0:0::/64", "2001:db8::/64"),
        ("::/0", "::/0"),
    ],
)
def test_an_address_or_a_network_is_kept_in_one_form(text: str, kept: str) -> None:
    assert new(ips=[text]).ips == [kept]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "localhost",
        "203.0.113.256",
        "203.0.113",
        "010.0.0.1",
        " 203.0.113.7",
        "203.0.113.0/33",
        "203.0.113.0/",
        "203.0.113.9/24",
        "2001:db8::1/64",
        "fe80::1%eth0",
        "::ffff:203.0.113.7",
        "203.0.113.7,203.0.113.8",
    ],
)
def test_what_is_no_network_is_named_by_its_place(text: str) -> None:
    assert wrong_new(ips=["203.0.113.7", text]) == {("/ips/1", "wrong_format")}


def test_a_key_has_up_to_50_networks_each_once() -> None:
    fifty = [f"203.0.113.{n}" for n in range(50)]

    assert new(ips=fifty).ips == fifty
    assert new(ips=["203.0.113.7", "203.0.113.7/32"]).ips == ["203.0.113.7"]
    assert wrong_new(ips=[*fifty, "203.0.113.50"]) == {("/ips", "too_many")}


def test_no_networks_mean_anywhere_and_none_at_all_is_refused() -> None:
    assert new().ips is None
    assert new(ips=None).ips is None
    assert wrong_new(ips=[]) == {("/ips", "too_few")}


# Changes and rotations


@pytest.mark.parametrize("field", ["nome", "scopes"])
def test_a_name_and_scopes_cannot_be_cleared(field: str) -> None:
    assert {where for where, _ in wrong(KeyChanges, {field: None})} == {f"/{field}"}


@pytest.mark.parametrize("field", ["env", "expiraEm", "status", "key", "id"])
def test_nothing_else_of_a_key_changes(field: str) -> None:
    assert wrong(KeyChanges, {field: "live"}) == {(f"/{field}", "unknown_field")}


def test_an_overlap_is_up_to_a_week_and_a_day_unless_it_is_given() -> None:
    assert read_body(KeyRotation, b"{}").overlap_hours == 24
    assert [
        read_body(KeyRotation, orjson.dumps({"sobreposicaoHoras": n})).overlap_hours
        for n in (0, 168)
    ] == [0, 168]
    assert wrong(KeyRotation, {"sobreposicaoHoras": -1}) == {("/sobreposicaoHoras", "too_small")}
    assert wrong(KeyRotation, {"sobreposicaoHoras": 169}) == {("/sobreposicaoHoras", "too_large")}
    assert wrong(KeyRotation, {"sobreposicaoHoras": "24"}) == {("/sobreposicaoHoras", "wrong_type")}
