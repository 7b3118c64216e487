"""The two signatures of a delivery, against a formula written out by hand and the published
library.
"""

import hashlib
from base64 import b64decode, b64encode
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from standardwebhooks import Webhook

from core.webhooks.signing.signature import sign

SECRET = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX"  # the bytes 0 to 23
OLDER = "whsec_MDEyMzQ1Njc4OWFiY2RlZmdoaWprbG1u"
AT = 1_700_000_000
BODY = '{"id":"evt_1","type":"sms.delivered","data":{"text":"olá"}}'.encode()


def hmac_sha256(key: bytes, text: bytes) -> bytes:
    """RFC 2104 by the letter, so that the code under test is not its own judge."""
    assert len(key) <= 64
    padded = key.ljust(64, b"\x00")
    inner = hashlib.sha256(bytes(byte ^ 0x36 for byte in padded) + text).digest()
    return hashlib.sha256(bytes(byte ^ 0x5C for byte in padded) + inner).digest()


def test_the_documented_vector_never_changes() -> None:
    assert sign(SECRET, webhook_id="evt_1", body=BODY, at=AT) == {
        "X-SVC-Signature": "t=1700000000,v1=f4d0258a80c68049933cc7dd045f375da03cabf5b59577d330bf58f83cf12cda",
        "webhook-id": "evt_1",
        "webhook-timestamp": "1700000000",
        "webhook-signature": "v1,Xw4g1w4NVAoXHe9kowpA1YBEdaHTw095ujHq9ejIUQ4=",
    }


def test_the_page_about_webhooks_shows_that_vector() -> None:
    page = (Path(__file__).parents[4] / "docs" / "webhooks.md").read_text(encoding="utf-8")
    signed = sign(SECRET, webhook_id="evt_1", body=BODY, at=AT)

    for told in (
        SECRET,
        BODY.decode(),
        str(AT),
        signed["X-SVC-Signature"],
        signed["webhook-signature"],
    ):
        assert f"`{told}`" in page


@pytest.mark.parametrize("body", [b"", b"{}", BODY, b"\x00\xff" * 10_000])
def test_our_key_is_the_text_of_the_whole_secret(body: bytes) -> None:
    expected = hmac_sha256(SECRET.encode(), b"1700000000." + body).hex()
    assert (
        sign(SECRET, webhook_id="evt_1", body=body, at=AT)["X-SVC-Signature"]
        == f"t=1700000000,v1={expected}"
    )


@pytest.mark.parametrize("body", [b"", b"{}", BODY])
def test_the_standard_key_is_what_follows_the_prefix_decoded(body: bytes) -> None:
    expected = hmac_sha256(b64decode(SECRET[6:]), b"evt_1.1700000000." + body)
    headers = sign(SECRET, webhook_id="evt_1", body=body, at=AT)
    assert headers["webhook-signature"] == "v1," + b64encode(expected).decode()


def test_while_a_rotation_overlaps_both_secrets_sign_newest_first() -> None:
    both = sign([SECRET, OLDER], webhook_id="evt_1", body=BODY, at=AT)
    new, old = (sign(secret, webhook_id="evt_1", body=BODY, at=AT) for secret in (SECRET, OLDER))
    assert (
        both["X-SVC-Signature"]
        == f"{new['X-SVC-Signature']},{old['X-SVC-Signature'].partition(',')[2]}"
    )
    assert both["webhook-signature"] == f"{new['webhook-signature']} {old['webhook-signature']}"


@pytest.mark.parametrize("receiver_has", [SECRET, OLDER])
def test_the_published_library_verifies_every_secret_of_the_overlap(receiver_has: str) -> None:
    now = int(datetime.now(UTC).timestamp())
    headers = sign([SECRET, OLDER], webhook_id="evt_1", body=BODY, at=now)
    verified: Any = Webhook(receiver_has).verify(BODY, headers)
    assert verified["id"] == "evt_1"


@pytest.mark.parametrize(
    "secret", [[], "", "AAECAwQF", "whsec_", "whsec_a-b_", "whsec_AAA", "whsec_AAECAwQF\n"]
)
def test_what_no_receiver_could_verify_is_never_sent(secret: str | list[str]) -> None:
    with pytest.raises(ValueError, match=r".+"):
        sign(secret, webhook_id="evt_1", body=BODY, at=AT)
