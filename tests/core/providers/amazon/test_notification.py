"""Which notifications are Amazon's: signatures, certificates, and the addresses that are never asked."""

import json
from datetime import timedelta
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa

from core.foundation.clock import now, wire_time
from core.foundation.http_client import OutboundRefused, close_clients
from core.providers.amazon import certificates
from core.providers.amazon.notification import Forged, SnsNotification, open_notification
from tests.fakes.aws import TOPIC
from tests.fakes.sns_signature import URL, Certificates, a_certificate, signed

OTHER_TOPIC = TOPIC.replace("svc-events", "strangers")


@pytest.fixture
def amazon() -> Certificates:
    return Certificates()


async def opened(
    body: Any, amazon: Certificates, *, allow_sha1: bool = False, topics: tuple[str, ...] = (TOPIC,)
) -> SnsNotification:
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    return await open_notification(
        raw, topics=topics, allow_sha1=allow_sha1, certificate_of=amazon.at, at=now()
    )


@pytest.mark.parametrize("subject", [None, "A subject"])
async def test_what_amazon_signed_is_taken(amazon: Certificates, subject: str | None) -> None:
    body = signed({"eventType": "TEXT_SENT"}, Subject=subject)

    taken = await opened(body, amazon)

    assert (taken.kind, taken.topic, json.loads(taken.text)) == ("Notification", TOPIC, body)
    assert amazon.asked == [URL]


async def test_confirmations_are_signed_with_their_token(amazon: Certificates) -> None:
    taken = await opened(signed("You have chosen …", kind="SubscriptionConfirmation"), amazon)

    assert (taken.kind, taken.token) == ("SubscriptionConfirmation", "token-1")


async def test_version_1_is_taken_only_where_it_is_allowed(amazon: Certificates) -> None:
    with pytest.raises(Forged, match="version"):
        await opened(signed("x", version="1"), amazon)
    assert amazon.asked == []

    taken = await opened(signed("x", version="1"), amazon, allow_sha1=True)
    assert taken.kind == "Notification"


@pytest.mark.parametrize(
    "name", ["Message", "MessageId", "Timestamp", "Subject", "Type", "TopicArn"]
)
async def test_a_changed_field_is_noticed(amazon: Certificates, name: str) -> None:
    changes = {
        "Timestamp": wire_time(now() - timedelta(minutes=1)),
        "Type": "UnsubscribeConfirmation",
        "TopicArn": OTHER_TOPIC,
    }
    body = signed("x", Subject="s") | {name: changes.get(name, "changed")}

    with pytest.raises(Forged):
        await opened(body, amazon, topics=(TOPIC, OTHER_TOPIC))


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"nonsense",
        b"[]",
        b"{}",
        b'"x"',
        b"\xff",
        b'{"Type": []}',
        b'{"Type": {"a": 1}}',
        signed("x") | {"Type": "Other"},
        signed("x") | {"Message": 1},
        signed("x") | {"Message": None},
        signed("x") | {"Signature": "§"},
        signed("x") | {"Signature": None},
        signed("x") | {"Signature": ""},
        signed("x") | {"SignatureVersion": 2},
        signed("x") | {"SignatureVersion": ["2"]},
        signed("x") | {"SignatureVersion": "3"},
        signed("x") | {"TopicArn": ["x"]},
        signed("x") | {"Timestamp": "yesterday"},
        signed("x") | {"Timestamp": None},
        signed("x") | {"Subject": 7},
    ],
)
async def test_what_cannot_be_read_is_forged(amazon: Certificates, body: Any) -> None:
    with pytest.raises(Forged):
        await opened(body, amazon)


async def test_a_stranger_topic_is_refused_before_anything_is_fetched(amazon: Certificates) -> None:
    with pytest.raises(Forged, match="topic"):
        await opened(signed("x", TopicArn=OTHER_TOPIC), amazon)
    assert amazon.asked == []


@pytest.mark.parametrize("minutes", [-61, 61])
async def test_a_replay_after_an_hour_is_refused(amazon: Certificates, minutes: int) -> None:
    at = wire_time(now() + timedelta(minutes=minutes))

    with pytest.raises(Forged, match="time"):
        await opened(signed("x", Timestamp=at), amazon)
    assert amazon.asked == []


@pytest.mark.parametrize(
    "pem",
    [
        b"",
        b"nonsense",
        a_certificate("sns.evil.com"),
        a_certificate("amazonaws.com"),
        a_certificate("sns.amazonaws.com.evil"),
        a_certificate(begins=now() + timedelta(hours=1), ends=now() + timedelta(days=2)),
        a_certificate(begins=now() - timedelta(days=3), ends=now() - timedelta(hours=1)),
        a_certificate(key=rsa.generate_private_key(65537, 2048)),
        a_certificate(key=ec.generate_private_key(ec.SECP256R1())),  # type: ignore[arg-type]
    ],
)
async def test_another_certificate_proves_nothing(amazon: Certificates, pem: bytes) -> None:
    amazon.pem = pem

    with pytest.raises(Forged):
        await opened(signed("x"), amazon)


async def test_a_certificate_that_does_not_come_refuses_the_notification(
    amazon: Certificates,
) -> None:
    amazon.fails = True

    with pytest.raises(Forged, match="certificate away"):
        await opened(signed("x"), amazon)


PEM = "/SimpleNotificationService-9c6465fa7f48f5cacd23014631ec1136.pem"
HOSTILE = [
    f"http://sns.sa-east-1.amazonaws.com{PEM}",
    f"https://sns.sa-east-1.amazonaws.com.evil{PEM}",
    f"https://sns.sa-east-1.amazonaws.com.evil.com{PEM}",
    f"https://evil.com/sns.sa-east-1.amazonaws.com{PEM}",
    f"https://sns.sa-east-1.amazonaws.com@evil.com{PEM}",
    f"https://evil.com@sns.sa-east-1.amazonaws.com{PEM}",
    f"https://user:pw@sns.sa-east-1.amazonaws.com{PEM}",
    f"https://sns.sa-east-1.amazonaws.com:443{PEM}",
    f"https://sns.sa-east-1.amazonaws.com:8443{PEM}",
    f"https://sns.us-east-1.amazonaws.com{PEM}",
    f"https://sns.evil.amazonaws.com{PEM}",
    f"https://evil.sns.sa-east-1.amazonaws.com{PEM}",
    f"https://s3.sa-east-1.amazonaws.com{PEM}",
    f"https://sns-sa-east-1.amazonaws.com{PEM}",
    f"https://sns.sa-east-1.amazonaws.com.{PEM}",
    f"https://SNS.sa-east-1.amazonaws.com{PEM}",
    f"https://sns.sa-east-1.amazonaws.com\\@evil.com{PEM}",
    f"https://sns.sa-east-1.amazonaws.com%2eevil.com{PEM}",
    f"https://sns%2esa-east-1.amazonaws.com{PEM}",
    f"https://\u0455ns.sa-east-1.amazonaws.com{PEM}",
    f"https://sns.sa-east-1.amazonaws.com\u3002evil.com{PEM}",
    "https://sns.sa-east-1.amazonaws.com/evil.pem",
    "https://sns.sa-east-1.amazonaws.com/SimpleNotificationService-.pem",
    "https://sns.sa-east-1.amazonaws.com/x/../SimpleNotificationService-9c6465fa7f48f5cacd23.pem",
    "https://sns.sa-east-1.amazonaws.com/%2e%2e/SimpleNotificationService-9c6465fa7f48f5cacd23.pem",
    f"https://sns.sa-east-1.amazonaws.com{PEM}?to=evil.com",
    f"https://sns.sa-east-1.amazonaws.com{PEM}#evil",
    f"https://sns.sa-east-1.amazonaws.com{PEM}/..",
    f"https://sns.sa-east-1.amazonaws.com{PEM}\n",
    f" https://sns.sa-east-1.amazonaws.com{PEM}",
    f"https://sns.sa-east-1.amaz\tonaws.com{PEM}",
    f"https:\\\\sns.sa-east-1.amazonaws.com{PEM}",
    f"//sns.sa-east-1.amazonaws.com{PEM}",
    f"file://sns.sa-east-1.amazonaws.com{PEM}",
    "https://[::1]/SimpleNotificationService-9c6465fa7f48f5cacd23.pem",
    "https://[::1",
    "https://169.254.169.254/latest/meta-data",
    "",
    7,
    None,
]


@pytest.mark.parametrize("url", HOSTILE, ids=repr)
async def test_nothing_is_fetched_from_a_host_that_is_not_amazons(
    amazon: Certificates, url: Any
) -> None:
    with pytest.raises(Forged, match="certificate address"):
        await opened(signed("x") | {"SigningCertURL": url}, amazon)
    assert amazon.asked == []


async def test_the_certificate_is_of_the_topics_own_partition(amazon: Certificates) -> None:
    china = TOPIC.replace("arn:aws:", "arn:aws-cn:").replace("sa-east-1", "cn-north-1")
    url = f"https://sns.cn-north-1.amazonaws.com.cn{PEM}"

    taken = await opened(signed("x", TopicArn=china, SigningCertURL=url), amazon, topics=(china,))
    assert taken.topic == china
    with pytest.raises(Forged):
        await opened(
            signed("x", TopicArn=china, SigningCertURL=url.removesuffix(".cn")),
            amazon,
            topics=(TOPIC,),
        )


async def test_a_certificate_is_kept_for_a_day(monkeypatch: pytest.MonkeyPatch) -> None:
    fetched: list[str] = []

    async def fetch(url: str) -> bytes:
        fetched.append(url)
        return b"pem"

    monkeypatch.setattr(certificates, "_fetch", fetch)
    first = f"https://sns.sa-east-1.amazonaws.com/{id(fetched)}"

    for _ in range(3):
        assert await certificates.certificate_at(first) == b"pem"
    assert fetched == [first]

    monkeypatch.setattr(certificates, "KEEP_SECONDS", -1.0)
    await certificates.certificate_at(first)
    assert fetched == [first, first]

    many = [f"{first}-{n}" for n in range(20)]
    for url in many:
        await certificates.certificate_at(url)
    assert len(certificates._kept) <= 8


async def test_the_fetcher_is_guarded() -> None:
    """Even where the name of Amazon's host leads into our network."""
    try:
        with pytest.raises(OutboundRefused):
            await certificates._fetch("https://127.0.0.1:1/x.pem")
    finally:
        await close_clients()
