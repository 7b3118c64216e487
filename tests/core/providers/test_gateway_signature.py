"""Signatures: vectors that another implementation can be checked with, and everything that must not pass."""

import pytest

from core.providers.gateway import sign, verify
from tests.fakes.gateway import FakeGateway

SECRET = "the gateway's shared secret"
AT = 1_760_000_000

# Made with: printf '%s' '<t>.<body>' | openssl dgst -sha256 -hmac '<secret>'
VECTORS = [
    (SECRET, AT, b'{"id":"msg_1"}', "24a6b85f791dc4dabced6cb892252d431ac271199dc695f7b16c063c20d05548"),
    (SECRET, AT, b"", "7780933ee87a9f6cf6771d4dd3cf006e1fe5b9b0337ee858ed804798e48b28a6"),
    ("chave secreta çã 1234", 1, "Olá €".encode(), "926b0352b9f04b8753b16ca09195a55191a919da972551b07d405f66205feb30"),
]


@pytest.mark.parametrize(("secret", "at", "body", "digest"), VECTORS)
def test_vectors(secret: str, at: int, body: bytes, digest: str) -> None:
    header = f"t={at},v1={digest}"
    assert sign(secret, body, at=at) == header
    assert verify(secret, header, body, at=at)


def test_the_fake_gateway_signs_alike() -> None:
    assert FakeGateway(SECRET).headers_for(b"{}", at=AT)["X-Gateway-Signature"] == sign(SECRET, b"{}", at=AT)


@pytest.mark.parametrize(("late", "fits"), [(0, True), (300, True), (-300, True), (301, False), (-301, False)])
def test_a_signature_holds_for_five_minutes(late: int, fits: bool) -> None:
    assert verify(SECRET, sign(SECRET, b"{}", at=AT), b"{}", at=AT + late) is fits


def test_another_secret_body_or_time_does_not_fit() -> None:
    header = sign(SECRET, b"{}", at=AT)
    assert not verify("another shared secret", header, b"{}", at=AT)
    assert not verify(SECRET, header, b"{ }", at=AT)
    assert not verify(SECRET, header.replace(str(AT), str(AT + 1)), b"{}", at=AT)


def test_while_a_secret_changes_either_signature_fits() -> None:
    old, new = (sign(secret, b"{}", at=AT).partition("v1=")[2] for secret in ("the old shared secret", SECRET))
    for pair in (f"{old},v1={new}", f"{new},v1={old}"):
        assert verify(SECRET, f"t={AT},v1={pair}", b"{}", at=AT)
    assert not verify(SECRET, f"t={AT},v1={old}", b"{}", at=AT)


@pytest.mark.parametrize(
    "form",
    [
        None,
        "",
        "t={at}",
        "v1={hex}",
        "t={at};v1={hex}",
        "t={at}, v1={hex}",
        "t={at},v1={hex} ",
        "t={at},v1={hex}\n",
        "t={at},v1={HEX}",
        "t={at},v0={hex}",
        "t={at},v1={hex}00",
        "t=-{at},v1={hex}",
        "t={at}.0,v1={hex}",
        "t={at},t={at},v1={hex}",
        "t=٣,v1={hex}",
        "t=9999999999999,v1={hex}",
        "t={at}" + ",v1={hex}" * 5,
    ],
)
def test_only_the_one_form_is_read(form: str | None) -> None:
    digest = sign(SECRET, b"{}", at=AT).partition("v1=")[2]
    header = None if form is None else form.format(at=AT, hex=digest, HEX=digest.upper())
    assert not verify(SECRET, header, b"{}", at=AT)
