"""The signature is the one that botocore makes."""

from datetime import UTC, datetime

import pytest
from botocore.auth import SigV4Auth  # type: ignore[import-untyped]
from botocore.awsrequest import AWSRequest  # type: ignore[import-untyped]
from botocore.credentials import ReadOnlyCredentials  # type: ignore[import-untyped]

from core.providers.amazon.signer import Keys, signed_headers


@pytest.mark.parametrize("token", [None, "a session's token=="])
@pytest.mark.parametrize("body", [b"", b'{"a": "\xc3\xa9"}'])
@pytest.mark.parametrize("host", ["sms-voice.sa-east-1.amazonaws.com", "127.0.0.1:4566"])
def test_it_is_botocores(token: str | None, body: bytes, host: str) -> None:
    headers = {"content-type": "application/x-amz-json-1.0", "x-amz-target": "A.B"}
    theirs = AWSRequest("POST", f"https://{host}/", headers=dict(headers), data=body)
    SigV4Auth(
        ReadOnlyCredentials("AKID", "secret", token, None), "sms-voice", "sa-east-1"
    ).add_auth(theirs)
    at = datetime.strptime(theirs.headers["X-Amz-Date"], "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)

    ours = signed_headers(
        Keys("AKID", "secret", token),
        headers,
        body,
        host=host,
        service="sms-voice",
        region="sa-east-1",
        at=at,
    )

    assert ours["authorization"] == theirs.headers["Authorization"]
    assert ours.get("x-amz-security-token") == theirs.headers.get("X-Amz-Security-Token")


def test_keys_do_not_show_themselves() -> None:
    assert "secret" not in repr(Keys("AKID", "secret", "token"))
