"""`cloud-sns`: what it asks for, what each answer means, and what a line of its log says."""

import json
from decimal import Decimal
from typing import Any

import aiohttp
import pytest

from core.foundation.clock import now
from core.providers.amazon.calls import SNS_API, AwsApi, HasKeys
from core.providers.amazon.log_lines import read_line
from core.providers.amazon.sns import Sns
from core.providers.contracts import (
    Accepted,
    Answer,
    CannotCarry,
    Failed,
    MessageNotFound,
    Outgoing,
    Refused,
    Throttled,
    Unknown,
)
from tests.fakes.aws import Behaviour, FakeAws, a_log_line, drops, says, sns_fails

SMS = Outgoing(
    "msg_000000000000000000001", "sms", "+5511987654321", "Olá & até", None, "otp", None, "org_1", 2
)


def sns(session: aiohttp.ClientSession, keys: HasKeys, **more: Any) -> Sns:
    return Sns(AwsApi(SNS_API, "sa-east-1", keys, session), **more)


async def test_a_message_is_published_to_its_phone(
    aws: FakeAws, session: aiohttp.ClientSession, keys: HasKeys
) -> None:
    provider = sns(session, keys, sender_id="LOJA", max_price_per_part=Decimal("0.05"))

    assert await provider.send(SMS) == Accepted("sns-1")
    assert aws.sent == [
        {
            "PhoneNumber": "+5511987654321",
            "Message": "Olá & até",
            "MessageAttributes.entry.1.Name": "AWS.SNS.SMS.SMSType",
            "MessageAttributes.entry.1.Value.DataType": "String",
            "MessageAttributes.entry.1.Value.StringValue": "Transactional",
            "MessageAttributes.entry.2.Name": "AWS.SNS.SMS.SenderID",
            "MessageAttributes.entry.2.Value.DataType": "String",
            "MessageAttributes.entry.2.Value.StringValue": "LOJA",
            "MessageAttributes.entry.3.Name": "AWS.SNS.SMS.MaxPrice",
            "MessageAttributes.entry.3.Value.DataType": "Number",
            "MessageAttributes.entry.3.Value.StringValue": "0.10000",
        }
    ]
    assert (provider.name, provider.is_idempotent) == ("cloud-sns", False)
    assert await provider.look_up(SMS.id) == MessageNotFound()


@pytest.mark.parametrize(
    ("behaviour", "answer"),
    [
        (sns_fails("Throttled"), Throttled(1)),
        (sns_fails("Throttling", status=429), Throttled(1)),
        (
            sns_fails("InvalidParameter", "Invalid parameter: PhoneNumber Reason: …"),
            Refused("invalid_number"),
        ),
        (sns_fails("InvalidParameter", "Invalid parameter: Message too long"), Failed()),
        (sns_fails("AuthorizationError", status=403), Failed()),
        (sns_fails("InternalError", status=500), Failed()),
        (says(b"", status=500), Unknown()),
        (says(b"<html/>", status=404), Failed()),
        (says(b"<x/>", taken=True), Unknown()),
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

    assert await sns(session, keys).send(SMS) == answer
    assert len(aws.sent) == 1


async def test_it_tells_whether_it_could(
    aws: FakeAws, session: aiohttp.ClientSession, keys: HasKeys
) -> None:
    assert await sns(session, keys).probe() == "answers"
    aws.answers["GetSMSAttributes"] = sns_fails("AuthorizationError", status=403)
    with pytest.raises(CannotCarry):
        await sns(session, keys).probe()


@pytest.mark.parametrize(
    ("said", "meaning"),
    [
        ("Invalid phone number", ("failed", "invalid_number")),
        ("Phone number is opted out", ("failed", "blacklisted")),
        ("Phone is on a denied list", ("failed", "blacklisted")),
        ("Phone has blocked SMS", ("failed", "blacklisted")),
        ("Unknown error attempting to reach phone", ("failed", "indeterminate")),
        ("Blocked as spam by phone carrier", ("undelivered", "carrier_rejected")),
        ("This delivery would exceed max price", ("undelivered", "carrier_rejected")),
        ("Something of tomorrow", ("undelivered", "carrier_rejected")),
    ],
)
def test_what_a_failure_means(said: str, meaning: tuple[str, str]) -> None:
    found = read_line(a_log_line("sns-1", said=said, status="FAILURE"), arrived=now())

    assert found is not None
    assert (found.report.status, found.report.reason) == meaning


def test_a_delivery_has_its_price() -> None:
    found = read_line(a_log_line("sns-1"), arrived=now())

    assert found is not None
    assert (found.report.status, found.reference) == ("delivered", "sns-1")
    assert found.cost is not None
    assert str(found.cost.amount) == "0.03084"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "START RequestId",
        "[]",
        "{}",
        "null",
        '{"notification": [], "delivery": {}, "status": "SUCCESS"}',
        '{"notification": {"messageId": 1}, "delivery": {}, "status": "SUCCESS"}',
        '{"notification": {"messageId": "m"}, "delivery": [], "status": "SUCCESS"}',
        '{"notification": {"messageId": "m"}, "delivery": {}, "status": "PERHAPS"}',
        json.dumps({"notification": {"messageId": "m" * 81}, "delivery": {}, "status": "SUCCESS"}),
    ],
)
def test_other_lines_say_nothing(text: str) -> None:
    assert read_line(text, arrived=now()) is None
