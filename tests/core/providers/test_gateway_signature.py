"""Signatures: vectors that another implementation can be checked with, and everything that must not
pass.
"""

from datetime import UTC, datetime, timedelta

import pytest

from core.providers.gateway import is_accepted, sign, verify
from tests.fakes.gateway import FakeGateway

SECRET = "the gateway's shared secret"
AT = 1_760_000_000
TO = "POST /providers/gateway/org_1/receipts"

# Made with: printf '<t>.<body>' | openssl dgst -sha256 -hmac '<secret>', and of '<t>\n<to>\n<body>'
VECTORS = [
    (
        SECRET,
        AT,
        b'{"id":"msg_1"}',
        "24a6b85f791dc4dabced6cb892252d431ac271199dc695f7b16c063c20d05548",
        "6a05bcbb2596f60c1a4d56b9cfec85e9beb2e420c179d3eb684cdb4c6bd1db1d",
    ),
    (
        SECRET,
        AT,
        b"",
        "7780933ee87a9f6cf6771d4dd3cf006e1fe5b9b0337ee858ed804798e48b28a6",
        "2aa149e2d10fab7ec8f70164878800dd284ed90af09ca51125910b327d9d7074",
    ),
    (
        "chave secreta çã 1234",
        1,
        "Olá €".encode(),
        "926b0352b9f04b8753b16ca09195a55191a919da972551b07d405f66205feb30",
        "356e21accbdd1fe7039092202dabbd5de3c0830fde6e6d3c791512c9abf94aaa",
    ),
]


def check(header: str | None, body: bytes = b"{}", *, to: str = TO, at: int = AT) -> str | None:
    return verify(SECRET, header, body, to=to, at=at)


@pytest.mark.parametrize(("secret", "at", "body", "of_body", "whole"), VECTORS)
def test_vectors(secret: str, at: int, body: bytes, of_body: str, whole: str) -> None:
    assert sign(secret, body, to=TO, at=at) == f"t={at},v1={of_body},v2={whole}"
    assert verify(secret, f"t={at},v1={of_body}", body, to=TO, at=at) == "v1"
    assert verify(secret, f"t={at},v2={whole}", body, to=TO, at=at) == "v2"
    assert verify(secret, f"t={at},v1={of_body},v2={whole}", body, to=TO, at=at) == "v2"


def test_the_fake_gateway_signs_alike() -> None:
    made = FakeGateway(SECRET).headers_for(b"{}", to=TO.removeprefix("POST "), at=AT)[
        "X-Gateway-Signature"
    ]
    assert made == f"t={AT},v2=" + sign(SECRET, b"{}", to=TO, at=AT).partition(",v2=")[2]


@pytest.mark.parametrize(
    ("late", "fits"), [(0, "v2"), (300, "v2"), (-300, "v2"), (301, None), (-301, None)]
)
def test_a_signature_holds_for_five_minutes(late: int, fits: str | None) -> None:
    assert check(sign(SECRET, b"{}", to=TO, at=AT), at=AT + late) == fits


def test_another_secret_body_time_or_address_does_not_fit() -> None:
    header = only_v2(SECRET)
    assert verify("another shared secret", header, b"{}", to=TO, at=AT) is None
    assert check(header, b"{ }") is None
    assert check(header.replace(str(AT), str(AT + 1))) is None
    for to in (
        TO.replace("receipts", "replies"),
        TO.replace("org_1", "org_2"),
        TO.replace("POST", "PUT"),
        "",
        TO[:-1],
    ):
        assert check(header, to=to) is None


def test_v1_says_nothing_of_the_address_and_ends() -> None:
    header = sign(SECRET, b"{}", to=TO, at=AT).partition(",v2=")[0]
    end = datetime(2027, 11, 30, tzinfo=UTC)

    assert check(header, to=TO.replace("receipts", "replies")) == "v1"
    assert is_accepted("v1", v1_until=end, at=end - timedelta(seconds=1))
    assert not is_accepted("v1", v1_until=end, at=end)
    assert is_accepted("v2", v1_until=end, at=end)
    assert not is_accepted(None, v1_until=end, at=end - timedelta(days=1))


def test_while_a_secret_changes_either_signature_fits() -> None:
    old, new = (only_v2(secret).partition(",")[2] for secret in ("the old shared secret", SECRET))
    for pair in (f"{old},{new}", f"{new},{old}"):
        assert check(f"t={AT},{pair}") == "v2"
    assert check(f"t={AT},{old}") is None


def only_v2(secret: str, to: str = TO) -> str:
    return f"t={AT},v2=" + sign(secret, b"{}", to=to, at=AT).partition(",v2=")[2]


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
        "t={at},v3={hex}",
        "t={at},v1={hex}00",
        "t=-{at},v1={hex}",
        "t={at}.0,v1={hex}",
        "t={at},t={at},v1={hex}",
        "t=٣,v1={hex}",
        "t=9999999999999,v1={hex}",
        "t={at}" + ",v1={hex}" * 9,
    ],
)
def test_only_the_one_form_is_read(form: str | None) -> None:
    digest = sign(SECRET, b"{}", to=TO, at=AT).partition("v1=")[2].partition(",")[0]
    header = None if form is None else form.format(at=AT, hex=digest, HEX=digest.upper())
    assert check(header) is None
