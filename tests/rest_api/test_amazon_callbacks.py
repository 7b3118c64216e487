"""The address of Amazon's notifications: what is taken, and what changes nothing."""

import json
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from core import sms
from core.foundation import settings
from core.foundation.clock import now
from core.foundation.security.caller import Caller
from core.providers import registry
from rest_api.providers import amazon as address
from tests.factories.live import a_live_caller
from tests.factories.sms import a_send
from tests.fakes.aws import TOPIC, FakeAws, a_reply, an_aws, an_event, fails, in_envelope
from tests.fakes.sns_signature import Certificates, signed
from tests.rest_api.problem_answers import the_problem
from tests.support.money import the_message, told
from tests.support.stored import nothing_stored

pytestmark = pytest.mark.usefixtures("clean_slate")


@pytest.fixture
async def aws(database: None, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[FakeAws]:
    async with an_aws() as aws:
        with monkeypatch.context() as patched:
            for name, value in {
                "AWS_ENDPOINT_URL": aws.url,
                "AWS_ACCESS_KEY_ID": "of-the-test",
                "AWS_SECRET_ACCESS_KEY": "of-the-test",
                "SVC_EUM_ORIGIN_PREMIUM": "pool-1",
                "SVC_AMAZON_TOPICS": TOPIC,
            }.items():
                patched.setenv(name, value)
            settings.current.cache_clear()
            await registry.open_providers(settings.current())
            yield aws
            await registry.close_providers()
        settings.current.cache_clear()


@pytest.fixture
def certificates(monkeypatch: pytest.MonkeyPatch) -> Certificates:
    found = Certificates()
    monkeypatch.setattr(address, "certificate_at", found.at)
    return found


async def post(rest: httpx.AsyncClient, body: Any, topic: str = TOPIC) -> httpx.Response:
    return await rest.post(
        "/providers/amazon/events",
        content=body if isinstance(body, bytes) else json.dumps(body).encode(),
        headers={"x-amz-sns-topic-arn": topic, "content-type": "text/plain; charset=UTF-8"},
    )


async def sent_by(caller: Caller) -> str:
    id: str = (await a_send(caller))["id"]
    return id


async def test_a_signed_event_is_applied_and_its_repeat_changes_nothing(
    aws: FakeAws, certificates: Certificates, rest: httpx.AsyncClient
) -> None:
    caller = await a_live_caller()
    id = await sent_by(caller)
    body = signed(an_event(id, caller.organization_id))

    answers = [await post(rest, body) for _ in range(2)]

    assert [answer.status_code for answer in answers] == [200, 200]
    assert (await the_message(id))["status"] == "delivered"
    assert await sms.apply_told([in_envelope(an_event(id, caller.organization_id))], at=now()) == [
        True
    ]
    assert [event for event, _ in await told(caller)] == ["sms.delivered"]


@pytest.mark.parametrize(
    "forge",
    [
        lambda body: body | {"Message": body["Message"].replace("DELIVERED", "INVALID")},
        lambda body: body | {"Signature": "AAAA"},
        lambda body: body | {"SignatureVersion": "1"},
        lambda body: body | {"SigningCertURL": "https://evil.com/x.pem"},
        lambda body: body | {"Timestamp": "2020-01-01T00:00:00.000Z"},
        lambda _: b"nonsense",
        lambda _: b"",
        lambda body: [body],
    ],
)
async def test_a_forged_one_changes_nothing_and_is_a_line_without_personal_data(
    aws: FakeAws,
    certificates: Certificates,
    rest: httpx.AsyncClient,
    capsys: pytest.CaptureFixture[str],
    forge: Any,
) -> None:
    caller = await a_live_caller()
    id = await sent_by(caller)
    capsys.readouterr()

    async with nothing_stored():
        answer = await post(rest, forge(signed(an_event(id, caller.organization_id))))

    assert the_problem(answer, 401)["meta"] == {"motivo": "assinatura"}
    lines = [line for line in capsys.readouterr().out.splitlines() if "amazon_" in line]
    assert len(lines) == 1
    assert "98765" not in lines[0]


@pytest.mark.parametrize("said", ["strangers", "svc-events"])
async def test_a_stranger_is_refused_before_anything_is_fetched_and_is_a_line(
    aws: FakeAws,
    certificates: Certificates,
    rest: httpx.AsyncClient,
    capsys: pytest.CaptureFixture[str],
    said: str,
) -> None:
    """Whatever topic its header names."""
    stranger = TOPIC.replace("svc-events", "strangers")
    caller = await a_live_caller()
    event = an_event(await sent_by(caller), caller.organization_id)
    capsys.readouterr()

    async with nothing_stored():
        answer = await post(
            rest, signed(event, TopicArn=stranger), topic=TOPIC.replace("svc-events", said)
        )

    assert the_problem(answer, 401)["meta"] == {"motivo": "assinatura"}
    assert certificates.asked == []
    lines = [line for line in capsys.readouterr().out.splitlines() if "amazon_" in line]
    assert len(lines) == 1
    assert "reason=topic" in lines[0]
    assert "98765" not in lines[0]


async def test_a_subscription_is_confirmed_by_a_call_of_our_own(
    aws: FakeAws, certificates: Certificates, rest: httpx.AsyncClient
) -> None:
    answer = await post(rest, signed("You have chosen …", kind="SubscriptionConfirmation"))

    assert answer.status_code == 200
    assert aws.confirmed == [(TOPIC, "token-1")]

    aws.answers["ConfirmSubscription"] = fails("InternalServerException", status=500)
    again = await post(rest, signed("You have chosen …", kind="SubscriptionConfirmation"))
    assert again.status_code == 503


async def test_the_end_of_a_subscription_is_an_alarm_and_changes_nothing(
    aws: FakeAws,
    certificates: Certificates,
    rest: httpx.AsyncClient,
    capsys: pytest.CaptureFixture[str],
) -> None:
    async with nothing_stored():
        answer = await post(rest, signed("…", kind="UnsubscribeConfirmation"))

    assert answer.status_code == 200
    assert "amazon_subscription_ended" in capsys.readouterr().out
    assert aws.confirmed == []


async def test_a_reply_that_is_too_early_is_asked_for_again(
    aws: FakeAws, certificates: Certificates, rest: httpx.AsyncClient
) -> None:
    caller = await a_live_caller()
    body = signed(a_reply("eum-1"))

    assert (await post(rest, body)).status_code == 503
    await sent_by(caller)
    assert (await post(rest, body)).status_code == 200

    assert (await sms.list_replies(caller, sms.ReplyFilter()))["total"] == 1


async def test_without_topics_there_is_no_such_address(
    database: None, rest: httpx.AsyncClient
) -> None:
    assert (await post(rest, signed("x"))).status_code == 404


async def test_only_posts_are_taken(aws: FakeAws, rest: httpx.AsyncClient) -> None:
    answer = await rest.get("/providers/amazon/events")

    assert (answer.status_code, answer.headers["allow"]) == (405, "POST")
