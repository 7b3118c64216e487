"""Who may post to us, and how we prove who we are."""

import hashlib
import hmac

import pytest

from core.providers.meta import is_verify_token, sign, verify
from core.providers.meta.signature import proof_of

SECRET, OTHER = "the secret of the app", "the secret of another"
BODY = '{"entry": "ação"}'.encode()


def digest(secret: str, text: bytes) -> str:
    return hmac.new(secret.encode(), text, hashlib.sha256).hexdigest()


def test_a_body_is_signed_as_the_platform_does() -> None:
    assert sign(SECRET, BODY) == f"sha256={digest(SECRET, BODY)}"


@pytest.mark.parametrize("secret", [SECRET, OTHER])
def test_any_of_the_secrets_proves_a_body(secret: str) -> None:
    assert verify((SECRET, OTHER), sign(secret, BODY), BODY)
    assert verify((SECRET, OTHER), f"sha256={digest(secret, BODY).upper()}", BODY)


@pytest.mark.parametrize(
    "header",
    [
        None,
        "",
        "sha256=",
        digest(SECRET, BODY),
        f"sha1={digest(SECRET, BODY)}",
        f"sha256={digest(SECRET, BODY)} ",
        f"sha256={digest(SECRET, BODY)[:-1]}",
        f"sha256={digest(SECRET, BODY + b' ')}",
        f"sha256={digest('a secret that is nobodys', BODY)}",
        "sha256=" + "\uff10" * 64,
    ],
)
def test_anything_else_proves_nothing(header: str | None) -> None:
    assert not verify((SECRET, OTHER), header, BODY)


def test_without_a_secret_nothing_is_proven() -> None:
    assert not verify((), sign("", BODY), BODY)


def test_a_subscription_names_the_token_exactly() -> None:
    assert is_verify_token("palavra combinada", "palavra combinada")
    for given in (None, "", "palavra", "palavra combinada ", "\ud800"):
        assert not is_verify_token("palavra combinada", given)


def test_who_holds_the_token_proves_that_it_holds_the_secret_too() -> None:
    assert proof_of(SECRET, "token") == digest(SECRET, b"token")
