"""What we say to SQS, SNS and CloudWatch Logs, and what SNS signs, against moto: an imitation by others.

moto does not know EUM; the fake of it is held to botocore's model (`tests/fakes/aws.py`).
"""

import json
import time
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import boto3  # type: ignore[import-untyped]
import pytest
from moto.core.models import DEFAULT_ACCOUNT_ID
from moto.sns.models import sns_backends

from core.foundation.clock import now
from core.providers.amazon.calls import LOGS_API, SNS_API, SQS_API, AwsApi, AwsError, AwsService
from core.providers.amazon.log_lines import read_line, read_page
from core.providers.amazon.notification import Forged, certificate_url, open_notification
from core.providers.amazon.queue import EventQueue
from core.providers.amazon.signer import Keys
from core.providers.amazon.sns import Sns
from core.providers.contracts import Accepted, Failed, Outgoing
from core.providers.gateway import open_session
from tests.fakes.aws import a_log_line
from tests.support.moto_server import a_moto_server

REGION = "sa-east-1"

Api = Callable[[AwsService], AwsApi]


class OurKeys:
    async def keys(self) -> Keys:
        return Keys("of-the-test", "of-the-test")


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with a_moto_server() as address:
        yield address


@pytest.fixture
async def api(address: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Api]:
    monkeypatch.setenv("AWS_ENDPOINT_URL", address)
    async with open_session() as session:
        yield lambda service: AwsApi(service, REGION, OurKeys(), session)


def boto(service: str, address: str) -> Any:
    return boto3.client(
        service,
        endpoint_url=address,
        region_name=REGION,
        aws_access_key_id="of-the-test",
        aws_secret_access_key="of-the-test",
    )


def a_queue_of_a_topic(address: str, name: str) -> tuple[str, str]:
    """A topic that delivers to a queue: its ARN, and the queue's address."""
    sns, sqs = boto("sns", address), boto("sqs", address)
    topic: str = sns.create_topic(Name=name)["TopicArn"]
    url: str = sqs.create_queue(QueueName=name)["QueueUrl"]
    arn = sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["QueueArn"])["Attributes"][
        "QueueArn"
    ]
    sns.subscribe(TopicArn=topic, Protocol="sqs", Endpoint=arn)
    return topic, url


async def test_a_queue_is_looked_at_received_from_and_deleted_from(api: Api, address: str) -> None:
    sqs = boto("sqs", address)
    url = sqs.create_queue(QueueName="events", Attributes={"VisibilityTimeout": "1"})["QueueUrl"]
    texts = {f"text {n}" for n in range(12)}
    for text in texts:
        sqs.send_message(QueueUrl=url, MessageBody=text)
    queue = EventQueue(api(SQS_API), url)

    assert await queue.look() == 12
    first, second = await queue.receive(wait=0), await queue.receive(wait=0)
    assert (len(first), len(second)) == (10, 2)
    assert {one.text for one in (*first, *second)} == texts
    assert all(one.sent_at and abs((now() - one.sent_at).total_seconds()) < 60 for one in first)

    await queue.delete(first)
    left: set[str] = set()
    while left != {one.text for one in second}:
        left |= {one.text for one in await queue.receive(wait=1)}
        assert not left & {one.text for one in first}


async def test_a_queue_that_is_not_there_is_an_error_with_amazons_code(api: Api) -> None:
    queue = EventQueue(api(SQS_API), f"https://sqs.{REGION}.amazonaws.com/123456789012/missing")

    with pytest.raises(AwsError) as failure:
        await queue.receive(wait=0)
    assert "NonExistentQueue" in failure.value.code or "QueueDoesNotExist" in failure.value.code


async def test_what_sns_signs_is_taken_and_a_changed_letter_is_not(api: Api, address: str) -> None:
    topic, url = a_queue_of_a_topic(address, "svc-events")
    boto("sns", address).publish(TopicArn=topic, Message='{"eventType": "TEXT_SENT"}')
    (one,) = await EventQueue(api(SQS_API), url).receive(wait=5)

    async def certificate_of(url: str) -> bytes:
        assert certificate_url(url, regions={REGION}) == url
        keys = sns_backends[DEFAULT_ACCOUNT_ID][REGION]._message_public_keys
        pem: bytes = keys[url.rpartition("/")[2]]
        return pem

    async def opened(raw: str) -> Any:
        return await open_notification(
            raw.encode(), topics=(topic,), allow_sha1=False, certificate_of=certificate_of, at=now()
        )

    taken = await opened(one.text)

    assert (taken.kind, taken.topic) == ("Notification", topic)
    assert json.loads(json.loads(taken.text)["Message"]) == {"eventType": "TEXT_SENT"}
    with pytest.raises(Forged, match="signature"):
        await opened(one.text.replace("TEXT_SENT", "TEXT_SEND"))


async def test_a_phone_gets_what_sns_publishes(api: Api) -> None:
    provider = Sns(api(SNS_API), sender_id="SVC")
    outgoing = Outgoing(
        "msg_1", "sms", "+5511987650005", "Olá & até", None, "premium", None, "org_1"
    )

    answer = await provider.send(outgoing)

    assert isinstance(answer, Accepted)
    published = sns_backends[DEFAULT_ACCOUNT_ID][REGION].sms_messages
    assert published[answer.reference][:2] == ("+5511987650005", "Olá & até")


async def test_what_sns_refuses_is_no_unknown_outcome(api: Api) -> None:
    outgoing = Outgoing("msg_1", "sms", "no phone", "Olá", None, "premium", None, "org_1")

    # moto does not name the parameter; Amazon does, and then it is an invalid number.
    assert await Sns(api(SNS_API)).send(outgoing) == Failed()


async def test_a_log_group_is_read_page_by_page(
    api: Api, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.providers.amazon.log_lines.PAGE_SIZE", 2)
    logs, group = boto("logs", address), f"sns/{REGION}/1/DirectPublishToPhoneNumber"
    logs.create_log_group(logGroupName=group)
    logs.create_log_stream(logGroupName=group, logStreamName="s")
    at = int(time.time() * 1000)
    logs.put_log_events(
        logGroupName=group,
        logStreamName="s",
        logEvents=[{"timestamp": at + n, "message": a_log_line(f"sns-{n}")} for n in range(5)],
    )

    found, token, pages = [], None, 0
    while True:
        lines, token = await read_page(api(LOGS_API), group, since=at - 1000, token=token)
        found += lines
        pages += 1
        if token is None:
            break

    read = [read_line(line.text, arrived=now()) for line in found]
    assert [one and one.reference for one in read] == [f"sns-{n}" for n in range(5)]
    assert len({line.id for line in found}) == 5
    assert pages >= 3
