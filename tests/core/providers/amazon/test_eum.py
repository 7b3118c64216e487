"""`cloud-eum`: what it asks for, and what each answer means."""

import asyncio
from decimal import Decimal
from typing import Any

import aiohttp
import pytest

from core.foundation.security import rate_limit
from core.providers.amazon.calls import EUM_API, AwsApi, HasKeys
from core.providers.amazon.credentials import NoCredentials
from core.providers.amazon.eum import Eum, price_of
from core.providers.amazon.signer import Keys
from core.providers.contracts import (
    Accepted,
    Answer,
    CannotCarry,
    Failed,
    LookupFailed,
    Outgoing,
    OutOfCredit,
    Refused,
    Throttled,
    Unknown,
)
from tests.fakes.aws import Behaviour, FakeAws, drops, fails, hangs, says, takes

ID = "msg_000000000000000000001"


def sms(**more: Any) -> Outgoing:
    fields = {
        "id": ID,
        "channel": "sms",
        "to": "+5511987654321",
        "text": "Olá",
        "content": None,
        "route": "premium",
        "sender_id": None,
        "organization_id": "org_1",
    }
    return Outgoing(**(fields | more))


@pytest.fixture(autouse=True)
def _own_buckets() -> None:
    rate_limit.use_buckets(rate_limit.LocalBuckets())


def eum(session: aiohttp.ClientSession, keys: HasKeys, *, seconds: float = 5, **more: Any) -> Eum:
    api = AwsApi(EUM_API, "sa-east-1", keys, session, seconds=seconds)
    given: Any = {"origins": {"premium": "pool-1"}, "parts_per_second": 1000} | more
    return Eum(api, **given)


async def test_a_message_is_asked_for_with_our_id_in_its_context(
    aws: FakeAws, session: aiohttp.ClientSession, keys: HasKeys
) -> None:
    provider = eum(
        session,
        keys,
        configuration_set="svc",
        protect="protect-1",
        max_price_per_part=Decimal("0.05"),
    )

    assert await provider.send(sms(segments=3)) == Accepted("eum-1")

    assert aws.sent == [
        {
            "DestinationPhoneNumber": "+5511987654321",
            "MessageBody": "Olá",
            "Context": {"svc": ID, "org": "org_1", "env": "live"},
            "OriginationIdentity": "pool-1",
            "ConfigurationSetName": "svc",
            "ProtectConfigurationId": "protect-1",
            "MaxPrice": "0.15000",
        }
    ]
    assert aws.headers[0]["x-amz-target"] == "PinpointSMSVoiceV2.SendTextMessage"
    assert (provider.name, provider.is_idempotent) == ("cloud-eum", False)


@pytest.mark.parametrize(
    ("route", "sender", "expected"),
    [
        ("premium", "Loja", {"OriginationIdentity": "pool-1"}),
        ("otp", "Loja", {"OriginationIdentity": "Loja"}),
        ("otp", "Minha Loja", {"MessageType": "TRANSACTIONAL"}),
        ("otp", None, {"MessageType": "TRANSACTIONAL"}),
        ("la_dedicada", None, {}),
    ],
)
def test_what_a_message_leaves_by(
    session: aiohttp.ClientSession, keys: HasKeys, route: str, sender: str | None, expected: Any
) -> None:
    request = eum(session, keys).request_for(sms(route=route, sender_id=sender))

    left = ("OriginationIdentity", "MessageType")
    assert {name: value for name, value in request.items() if name in left} == expected


def test_prices_are_written_as_the_operation_takes_them() -> None:
    assert price_of(Decimal("0.05")) == "0.05000"
    assert price_of(Decimal(240)) == "99.99999"


REFUSED = Refused("carrier_rejected")


@pytest.mark.parametrize(
    ("behaviour", "answer"),
    [
        (fails("ThrottlingException"), Throttled(1)),
        (fails("ThrottlingException", status=429), Throttled(1)),
        (says(b"", status=429), Throttled(1)),
        (
            fails("ServiceQuotaExceededException", "MONTHLY_SPEND_LIMIT_REACHED_FOR_TEXT"),
            OutOfCredit(),
        ),
        (fails("ServiceQuotaExceededException", "POOLS_PER_ACCOUNT"), Failed()),
        (
            fails("ConflictException", "DESTINATION_PHONE_NUMBER_OPTED_OUT"),
            Refused("blacklisted", opted_out=True),
        ),
        (
            fails("ConflictException", "DESTINATION_COUNTRY_BLOCKED_BY_PROTECT_CONFIGURATION"),
            REFUSED,
        ),
        (
            fails(
                "ConflictException", "DESTINATION_PHONE_NUMBER_BLOCKED_BY_PROTECT_NUMBER_OVERRIDE"
            ),
            REFUSED,
        ),
        (fails("ValidationException", "DESTINATION_COUNTRY_BLOCKED"), REFUSED),
        (fails("ValidationException", "INVALID_IDENTITY_FOR_DESTINATION_COUNTRY"), REFUSED),
        (fails("ValidationException", "PRICE_OVER_THRESHOLD"), REFUSED),
        (
            fails("ValidationException", "INVALID_PARAMETER", fields=("DestinationPhoneNumber",)),
            Refused("invalid_number"),
        ),
        (fails("ValidationException", "INVALID_PARAMETER", fields=("MessageBody",)), Failed()),
        (fails("ValidationException", "SENDER_ID_REQUIRES_REGISTRATION"), Failed()),
        (fails("ConflictException", "DESTINATION_PHONE_NUMBER_NOT_VERIFIED"), Failed()),
        (fails("ConflictException", "NO_ORIGINATION_IDENTITIES_FOUND"), Failed()),
        (fails("ResourceNotFoundException"), Failed()),
        (fails("AccessDeniedException", "ACCOUNT_DISABLED"), Failed()),
        (fails("AccessDeniedException", "INSUFFICIENT_ACCOUNT_REPUTATION", status=403), Failed()),
        (fails("ExpiredTokenException"), Failed()),
        (fails("InvalidSignatureException", status=403), Failed()),
        (fails("InternalServerException", status=500), Failed()),
        (says(b"", status=500), Unknown()),
        (says(b"<html>", status=503), Unknown()),
        (says(b"<html>", status=404), Failed()),
        (says(b"{}", taken=True), Unknown()),
        (says(b"nonsense", taken=True), Unknown()),
        (says(b'{"MessageId": 1}', taken=True), Unknown()),
        (drops(), Unknown()),
    ],
)
async def test_what_an_answer_means(
    aws: FakeAws,
    session: aiohttp.ClientSession,
    keys: HasKeys,
    behaviour: Behaviour,
    answer: Answer,
) -> None:
    aws.will(behaviour)

    assert await eum(session, keys).send(sms()) == answer
    assert len(aws.sent) == 1, "it is never repeated"


async def test_an_answer_that_does_not_come_is_unknown(
    aws: FakeAws, session: aiohttp.ClientSession, keys: HasKeys
) -> None:
    until = asyncio.Event()
    aws.will(hangs(until))

    assert await eum(session, keys, seconds=0.2).send(sms()) == Unknown()
    assert len(aws.sent) == 1


async def test_who_is_never_reached_has_not_taken_it(
    session: aiohttp.ClientSession, keys: HasKeys, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")

    assert await eum(session, keys).send(sms()) == Failed()


async def test_without_credentials_nothing_is_handed_over(
    aws: FakeAws, session: aiohttp.ClientSession
) -> None:
    class Nobody:
        async def keys(self) -> Keys:
            raise NoCredentials("NoCredentialsError")

    assert await eum(session, Nobody()).send(sms()) == Failed()
    assert aws.seen == []
    with pytest.raises(CannotCarry, match="no credentials of AWS"):
        await eum(session, Nobody()).probe()


async def test_an_origin_sends_so_many_parts_a_second_and_no_more(
    aws: FakeAws, session: aiohttp.ClientSession, keys: HasKeys
) -> None:
    provider = eum(session, keys, parts_per_second=3)

    answers = [await provider.send(sms(id=f"msg_{n:021}", segments=2)) for n in range(2)]
    other = await provider.send(sms(id=f"msg_{9:021}", route="otp", sender_id="Loja"))

    assert answers == [Accepted("eum-1"), Throttled(1)]
    assert other == Accepted("eum-2"), "another origin has parts of its own"
    assert len(aws.sent) == 2


async def test_nothing_reads_a_message_back(
    aws: FakeAws, session: aiohttp.ClientSession, keys: HasKeys
) -> None:
    provider = eum(session, keys)
    await provider.send(sms())

    assert await provider.look_up(ID) == LookupFailed()
    assert len(aws.seen) == 1


async def test_it_tells_whether_it_could(
    aws: FakeAws, session: aiohttp.ClientSession, keys: HasKeys
) -> None:
    assert await eum(session, keys).probe() == "answers, and may spend US$ 1 a month"

    aws.answers["DescribeSpendLimits"] = fails("AccessDeniedException", "ACCOUNT_DISABLED")
    with pytest.raises(CannotCarry, match="ACCOUNT_DISABLED"):
        await eum(session, keys).probe()


async def test_a_refusal_is_logged_without_the_phone(
    aws: FakeAws,
    session: aiohttp.ClientSession,
    keys: HasKeys,
    capsys: pytest.CaptureFixture[str],
) -> None:
    aws.will(fails("ConflictException", "NO_ORIGINATION_IDENTITIES_FOUND"))

    await eum(session, keys).send(sms())

    line = capsys.readouterr().out
    assert "SVC_EUM_ORIGIN" in line
    assert "98765" not in line


async def test_many_cut_connections_are_each_one_request(
    aws: FakeAws, session: aiohttp.ClientSession, keys: HasKeys
) -> None:
    provider = eum(session, keys, parts_per_second=10_000)
    aws.will(*(drops() if n % 5 == 0 else takes() for n in range(200)))

    answers = await asyncio.gather(*(provider.send(sms(id=f"msg_{n:021}")) for n in range(200)))

    assert len(aws.sent) == len(aws.taken) == 200
    assert answers.count(Unknown()) == 40
