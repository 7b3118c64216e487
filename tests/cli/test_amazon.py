"""`svc amazon`: the template, and what is found at Amazon."""

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from aiohttp import web

from tests.fakes.aws import FakeAws, an_aws, fails, sns_fails, xml
from tests.support.processes import svc
from tests.support.service import Service

GROUP = "sns/sa-east-1/123456789012/DirectPublishToPhoneNumber"


@pytest.fixture
async def aws() -> AsyncIterator[FakeAws]:
    async with an_aws() as aws:
        yield aws


def settings_of(service: Service, aws: FakeAws, **more: str) -> dict[str, str]:
    return {
        **service.environment,
        "AWS_ENDPOINT_URL": aws.url,
        "AWS_ACCESS_KEY_ID": "of-the-test",
        "AWS_SECRET_ACCESS_KEY": "of-the-test",
        "SVC_EUM_ORIGIN_PREMIUM": "pool-1",
        "SVC_EUM_CONFIGURATION_SET": "svc",
        "SVC_AMAZON_EVENTS_QUEUE": "https://sqs.sa-east-1.amazonaws.com/123456789012/svc-events",
        "SVC_SNS_REGION": "sa-east-1",
        "SVC_SNS_LOG_GROUPS": GROUP,
        **more,
    }


async def examined(environment: dict[str, str], *words: str) -> tuple[int, dict[str, Any]]:
    status, out, err = await svc(["amazon", "doctor", "--json", *words], environment=environment)
    assert out, err
    return status, {check["name"]: check for check in json.loads(out)["checks"]}


async def raised_limit(aws: FakeAws, request: Any, body: Any) -> Any:
    limit = {"Name": "TEXT_MESSAGE_MONTHLY_SPEND_LIMIT", "EnforcedLimit": 500, "MaxLimit": 500, "Overridden": True}  # fmt: skip
    return web.json_response({"SpendLimits": [limit]})


async def test_what_is_as_it_has_to_be(service: Service, aws: FakeAws) -> None:
    aws.answers["DescribeSpendLimits"] = raised_limit

    status, found = await examined(settings_of(service, aws), "--to", "+5511987654321")

    assert {name: check["ok"] for name, check in found.items()} == dict.fromkeys(
        ("spend_limit", "dry_run", "configuration", "queue", "sns", "log_groups"), True
    )
    assert status == 0
    (sent,) = aws.sent
    assert sent["DryRun"] is True


async def test_what_is_not_is_told_with_what_to_do(service: Service, aws: FakeAws) -> None:
    aws.will(fails("ConflictException", "DESTINATION_PHONE_NUMBER_NOT_VERIFIED"))
    aws.answers |= {
        "DescribeConfigurationSets": fails("ResourceNotFoundException"),
        "GetQueueAttributes": fails("AccessDeniedException", "ACCOUNT_DISABLED"),
        "FilterLogEvents": fails("ResourceNotFoundException"),
        "GetSMSAttributes": sns_fails("AuthorizationError", status=403),
    }

    status, found = await examined(settings_of(service, aws), "--to", "+5511987654321")

    assert status == 1
    assert {check["ok"] for check in found.values()} == {False}
    for name, words in {
        "spend_limit": "ask Amazon to raise it",
        "dry_run": "ask for production access",
        "configuration": "SVC_EUM_CONFIGURATION_SET",
        "queue": "ACCOUNT_DISABLED",
        "sns": "HTTP 403",
        "log_groups": "ResourceNotFoundException",
    }.items():
        assert words in found[name]["detail"]


async def test_half_of_the_sampling_is_not_enough(service: Service, aws: FakeAws) -> None:
    async def half(aws: FakeAws, request: Any, body: Any) -> Any:
        return xml(
            "<attributes><entry><key>DeliveryStatusSuccessSamplingRate</key><value>50</value></entry></attributes>",
            "GetSMSAttributes",
        )

    aws.answers["GetSMSAttributes"] = half
    _, found = await examined(
        settings_of(service, aws, SVC_SNS_LOG_GROUPS="", SVC_AMAZON_EVENTS_QUEUE="")
    )

    assert "to 100" in found["sns"]["detail"]
    assert "SVC_SNS_LOG_GROUPS" in found["log_groups"]["detail"]
    assert "SVC_AMAZON_EVENTS_QUEUE" in found["queue"]["detail"]
    assert found["dry_run"]["ok"] is None


async def test_svc_doctor_says_who_carries_each_route(service: Service, aws: FakeAws) -> None:
    there = settings_of(service, aws, SVC_SMS_PROVIDERS="otp=cloud-sns/cloud-eum")

    _, out, _ = await svc(["doctor", "--json"], environment=there)

    (line,) = [check for check in json.loads(out)["checks"] if check["name"] == "live_sms"]
    assert line["ok"]
    assert line["detail"] == (
        "premium, la_dedicada: cloud-eum answers, and may spend US$ 1 a month; "
        "otp: cloud-sns answers, else cloud-eum answers, and may spend US$ 1 a month"
    )


@pytest.mark.parametrize("words", [("--to", "12"), ("--to", "11987654321")])
async def test_a_phone_is_written_in_e164(words: tuple[str, ...]) -> None:
    status, _, err = await svc(["amazon", "doctor", *words], environment={})

    assert (status, "E.164" in err) == (2, True)


async def test_the_template_has_what_is_needed() -> None:
    status, out, _ = await svc(
        ["amazon", "setup", "--print", "--name", "sms", "--url", "https://api.example.com"],
        environment={},
    )
    made = json.loads(out)

    assert status == 0
    types = {resource["Type"] for resource in made["Resources"].values()}
    assert types == {
        "AWS::IAM::ManagedPolicy",
        "AWS::SMSVOICE::ConfigurationSet",
        "AWS::SNS::Subscription",
        "AWS::SNS::Topic",
        "AWS::SNS::TopicPolicy",
        "AWS::SQS::Queue",
        "AWS::SQS::QueuePolicy",
    }
    assert made["Resources"]["Topic"]["Properties"]["SignatureVersion"] == "2"
    endpoints = {
        str(resource["Properties"].get("Endpoint")) for resource in made["Resources"].values()
    }
    assert "https://api.example.com/providers/amazon/events" in endpoints
    names = set(made["Resources"]) | {"AWS::AccountId"}
    assert _references(made) <= names


@pytest.mark.parametrize(
    "words", [(), ("--print", "--name", "a b"), ("--print", "--url", "http://x")]
)
async def test_a_wrong_wish_is_refused(words: tuple[str, ...]) -> None:
    status, out, _ = await svc(["amazon", "setup", *words], environment={})

    assert (status, out) == (2, "")


def _references(value: Any) -> set[str]:
    match value:
        case {"Ref": name}:
            return {name}
        case {"Fn::GetAtt": [name, _]}:
            return {name}
        case dict():
            return set().union(*map(_references, value.values()))
        case list():
            return set().union(*map(_references, value))
    return set()
