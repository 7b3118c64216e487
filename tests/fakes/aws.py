"""AWS on a free port of this machine: EUM, SNS, SQS and CloudWatch Logs, as far as the service calls them.

Every request and every answer is held to botocore's own service models: the fake cannot drift. moto
does not know EUM; where it knows a service, the tests ask it as well.
"""

import asyncio
import json
import time
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any
from urllib.parse import parse_qsl

import botocore.session  # type: ignore[import-untyped]
from aiohttp import web
from botocore.model import OperationModel, ServiceModel  # type: ignore[import-untyped]
from botocore.validate import ParamValidator  # type: ignore[import-untyped]

TARGETS = {
    "PinpointSMSVoiceV2": "pinpoint-sms-voice-v2",
    "AmazonSQS": "sqs",
    "Logs_20140328": "logs",
}
ACCOUNT = "123456789012"
TOPIC = f"arn:aws:sns:sa-east-1:{ACCOUNT}:svc-events"

Behaviour = Callable[["FakeAws", web.Request, dict[str, Any]], Awaitable[web.StreamResponse]]


@lru_cache(maxsize=8)
def model_of(service: str) -> ServiceModel:
    return botocore.session.get_session().get_service_model(service)


def check(shape: Any, value: dict[str, Any]) -> None:
    """Fails where the value has not this shape; also for members that the model does not know, and
    lengths, patterns and enumerations, which botocore leaves to AWS.
    """
    report = ParamValidator().validate(value, shape)
    assert not report.has_errors(), report.generate_report()
    _check_strictly(shape, value, "")


def _check_strictly(shape: Any, value: Any, where: str) -> None:
    import re

    if shape.type_name == "structure":
        unknown = set(value) - set(shape.members)
        assert not unknown, f"{where}: {unknown}"
        for name, one in value.items():
            _check_strictly(shape.members[name], one, f"{where}.{name}")
    elif shape.type_name == "list":
        for one in value:
            _check_strictly(shape.member, one, where)
    elif shape.type_name == "map":
        for name, one in value.items():
            _check_strictly(shape.key, name, where)
            _check_strictly(shape.value, one, where)
        assert len(value) <= shape.metadata.get("max", 10**9), where
    elif shape.type_name == "string":
        rules = shape.metadata
        assert rules.get("min", 0) <= len(value) <= rules.get("max", 10**9), f"{where}: length"
        assert not rules.get("enum") or value in rules["enum"], f"{where}: {value}"
        pattern = rules.get("pattern")
        assert not pattern or re.fullmatch(pattern, value), f"{where}: {value} is not {pattern}"


@dataclass(slots=True)
class Sent:
    """A message that EUM or SNS took."""

    reference: str
    request: dict[str, Any]


@dataclass
class FakeAws:
    """AWS of a test; made by `an_aws`."""

    url: str = ""
    seen: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    """Every call that arrived, answered or not: operation and input."""
    headers: list[dict[str, str]] = field(default_factory=list)
    taken: dict[str, Sent] = field(default_factory=dict)
    """What EUM took, by our id."""
    published: list[Sent] = field(default_factory=list)
    queue: deque[tuple[str, float]] = field(default_factory=deque)
    hidden: dict[str, tuple[str, float]] = field(default_factory=dict)
    log_events: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    confirmed: list[tuple[str, str]] = field(default_factory=list)
    sends: Behaviour | None = None
    """What every send meets; None is being taken."""
    answers: dict[str, Behaviour] = field(default_factory=dict)
    """What other operations meet, by their name."""
    queue_away: bool = False
    checked: bool = True
    """Whether requests and answers are held to the models; a measurement leaves it out."""
    _next: deque[Behaviour] = field(default_factory=deque)
    _handles: int = 0

    def will(self, *behaviours: Behaviour) -> None:
        """What the next sends meet, one each."""
        self._next.extend(behaviours)

    @property
    def sent(self) -> list[dict[str, Any]]:
        """The inputs of SendTextMessage and Publish that arrived."""
        return [body for name, body in self.seen if name in ("SendTextMessage", "Publish")]

    def tell(self, *texts: str) -> None:
        """Put messages into the queue."""
        self.queue.extend((text, time.time()) for text in texts)

    async def serve(self, request: web.Request) -> web.StreamResponse:
        """Every request arrives here."""
        raw = await request.read()
        assert request.headers["Authorization"].startswith("AWS4-HMAC-SHA256 Credential=")
        self.headers.append({name.lower(): text for name, text in request.headers.items()})
        target = request.headers.get("X-Amz-Target")
        if target is None:
            return await self._query(request, dict(parse_qsl(raw.decode())))
        prefix, _, operation = target.partition(".")
        model = model_of(TARGETS[prefix]).operation_model(operation)
        body = json.loads(raw)
        if self.checked:
            check(model.input_shape, body)
        self.seen.append((operation, body))
        behaviour = self.answers.get(operation)
        if behaviour is not None:
            return await behaviour(self, request, body)
        if operation == "SendTextMessage":
            behave = self._next.popleft() if self._next else self.sends or takes()
            return await behave(self, request, body)
        if prefix == "AmazonSQS" and self.queue_away:
            return web.json_response({"__type": "ServiceUnavailable"}, status=503)
        answer = getattr(self, f"_{operation}")(body)
        return self._answered(model, await answer if asyncio.iscoroutine(answer) else answer)

    def _answered(self, model: OperationModel, answer: dict[str, Any]) -> web.Response:
        if self.checked and model.output_shape is not None:
            check(model.output_shape, answer)
        return web.json_response(answer, content_type="application/x-amz-json-1.0")

    async def _query(self, request: web.Request, form: dict[str, str]) -> web.StreamResponse:
        operation = form.pop("Action")
        model = model_of("sns").operation_model(operation)
        assert form.pop("Version") == model.service_model.api_version
        self.seen.append((operation, form))
        if (behaviour := self.answers.get(operation)) is not None:
            return await behaviour(self, request, form)
        if operation == "Publish":
            behave = self._next.popleft() if self._next else self.sends or takes()
            return await behave(self, request, form)
        if operation == "ConfirmSubscription":
            self.confirmed.append((form["TopicArn"], form["Token"]))
            return xml(f"<SubscriptionArn>{form['TopicArn']}:1</SubscriptionArn>", operation)
        if operation == "GetSMSAttributes":
            return xml(
                "<attributes><entry><key>DeliveryStatusSuccessSamplingRate</key><value>100</value></entry>"
                "</attributes>",
                operation,
            )
        raise AssertionError(operation)

    # EUM

    def take(self, body: dict[str, Any]) -> Sent:
        """Take a message. It does not know ids of ours: the same again is another message."""
        if "PhoneNumber" in body:
            sent = Sent(f"sns-{len(self.published) + 1}", body)
            self.published.append(sent)
            return sent
        sent = Sent(f"eum-{len(self.taken) + 1}", body)
        assert body["Context"]["svc"] not in self.taken, "it left twice"
        self.taken[body["Context"]["svc"]] = sent
        return sent

    def _DescribeSpendLimits(self, _: dict[str, Any]) -> dict[str, Any]:  # noqa: N802
        limit = {"Name": "TEXT_MESSAGE_MONTHLY_SPEND_LIMIT", "EnforcedLimit": 1, "MaxLimit": 1, "Overridden": False}  # fmt: skip
        return {"SpendLimits": [limit]}

    def _DescribeConfigurationSets(self, body: dict[str, Any]) -> dict[str, Any]:  # noqa: N802
        names = body.get("ConfigurationSetNames", [])
        return {
            "ConfigurationSets": [
                {
                    "ConfigurationSetArn": f"arn:aws:sms-voice:sa-east-1:{ACCOUNT}:configuration-set/{name}",
                    "ConfigurationSetName": name,
                    "EventDestinations": [
                        {
                            "EventDestinationName": "svc",
                            "Enabled": True,
                            "MatchingEventTypes": ["TEXT_ALL"],
                            "SnsDestination": {"TopicArn": TOPIC},
                        }
                    ],
                    "CreatedTimestamp": 1,
                }
                for name in names
            ]
        }

    # SQS

    async def _ReceiveMessage(self, body: dict[str, Any]) -> dict[str, Any]:  # noqa: N802
        deadline = time.monotonic() + min(body["WaitTimeSeconds"], 1)
        while not self.queue and time.monotonic() < deadline:  # noqa: ASYNC110 - as SQS waits
            await asyncio.sleep(0.01)
        messages: list[dict[str, Any]] = []
        while self.queue and len(messages) < body["MaxNumberOfMessages"]:
            text, at = self.queue.popleft()
            self._handles += 1
            handle = str(self._handles)
            self.hidden[handle] = (text, at)
            messages.append(
                {
                    "MessageId": f"m{handle}",
                    "ReceiptHandle": handle,
                    "Body": text,
                    "Attributes": {"SentTimestamp": str(int(at * 1000))},
                }
            )
        return {"Messages": messages} if messages else {}

    def _DeleteMessageBatch(self, body: dict[str, Any]) -> dict[str, Any]:  # noqa: N802
        for entry in body["Entries"]:
            self.hidden.pop(entry["ReceiptHandle"], None)
        return {"Successful": [{"Id": entry["Id"]} for entry in body["Entries"]], "Failed": []}

    def _GetQueueAttributes(self, _: dict[str, Any]) -> dict[str, Any]:  # noqa: N802
        return {"Attributes": {"ApproximateNumberOfMessages": str(len(self.queue))}}

    def come_back(self) -> None:
        """What was received and not deleted is there again: its visibility timeout is over."""
        self.queue.extend(self.hidden.values())
        self.hidden.clear()

    # Logs

    def _FilterLogEvents(self, body: dict[str, Any]) -> dict[str, Any]:  # noqa: N802
        found = [
            event
            for event in self.log_events.get(body["logGroupName"], [])
            if event["timestamp"] >= body.get("startTime", 0)
        ]
        start = int(body.get("nextToken", "0"))
        page = found[start : start + body.get("limit", 10_000)]
        rest = {"nextToken": str(start + len(page))} if start + len(page) < len(found) else {}
        return {"events": page, **rest}


def xml(result: str, operation: str, *, status: int = 200) -> web.Response:
    """An answer of the query protocol."""
    text = (
        f'<{operation}Response xmlns="http://sns.amazonaws.com/doc/2010-03-31/"><{operation}Result>{result}'
        f"</{operation}Result><ResponseMetadata><RequestId>r</RequestId></ResponseMetadata></{operation}Response>"
    )
    return web.Response(text=text, content_type="text/xml", status=status)


@asynccontextmanager
async def an_aws() -> AsyncIterator[FakeAws]:
    """An AWS that takes everything until it is told otherwise."""
    aws = FakeAws()
    app = web.Application(client_max_size=4_000_000)
    app.router.add_post("/", aws.serve)
    runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=0.1, access_log=None)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        aws.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
        yield aws
    finally:
        await runner.cleanup()


# What a send may meet -----------------------------------------------------------------------------


def takes() -> Behaviour:
    """Taken, and the answer arrives."""

    async def behave(aws: FakeAws, _: web.Request, body: dict[str, Any]) -> web.StreamResponse:
        sent = aws.take(body)
        if "PhoneNumber" in body:
            return xml(f"<MessageId>{sent.reference}</MessageId>", "Publish")
        answer = {"MessageId": sent.reference}
        if aws.checked:
            check(
                model_of("pinpoint-sms-voice-v2").operation_model("SendTextMessage").output_shape,
                answer,
            )
        return web.json_response(answer, content_type="application/x-amz-json-1.0")

    return behave


def fails(
    code: str, reason: str | None = None, *, fields: tuple[str, ...] = (), status: int = 400
) -> Behaviour:
    """An error of EUM's model."""
    errors = {
        shape.name: shape
        for shape in model_of("pinpoint-sms-voice-v2")
        .operation_model("SendTextMessage")
        .error_shapes
    }
    body: dict[str, Any] = {"Message": "Phone +5511987654321 …"}
    if reason is not None:
        body["Reason"] = reason
    if fields:
        body["Fields"] = [{"Name": name, "Message": "…"} for name in fields]
    if code in errors:
        given = dict(body)
        if "RequestId" in errors[code].members:
            given["RequestId"] = "r"
        check(errors[code], given)
    text = json.dumps({"__type": f"com.amazonaws.pinpointsmsvoicev2#{code}", **body})
    return says(text.encode(), status=status)


def sns_fails(code: str, message: str = "", *, status: int = 400) -> Behaviour:
    """An error of SNS."""
    return says(
        f'<ErrorResponse xmlns="http://sns.amazonaws.com/doc/2010-03-31/"><Error><Type>Sender</Type>'
        f"<Code>{code}</Code><Message>{message}</Message></Error></ErrorResponse>".encode(),
        status=status,
    )


def says(body: bytes, *, status: int = 200, taken: bool = False) -> Behaviour:
    """Any answer at all; `taken`: the message was taken nevertheless."""

    async def behave(aws: FakeAws, _: web.Request, message: dict[str, Any]) -> web.StreamResponse:
        if taken:
            aws.take(message)
        return web.Response(status=status, body=body)

    return behave


def drops(*, taken: bool = True) -> Behaviour:
    """Takes the message and breaks the connection without a word."""

    async def behave(
        aws: FakeAws, request: web.Request, message: dict[str, Any]
    ) -> web.StreamResponse:
        if taken:
            aws.take(message)
        if request.transport is not None:
            request.transport.abort()
        return web.Response()

    return behave


def hangs(until: asyncio.Event) -> Behaviour:
    """Takes the message and does not answer before the event."""

    async def behave(
        aws: FakeAws, request: web.Request, message: dict[str, Any]
    ) -> web.StreamResponse:
        aws.take(message)
        await until.wait()
        return web.json_response({})

    return behave


# What Amazon tells --------------------------------------------------------------------------------


def an_event(
    message_id: str | None,
    organization_id: str,
    kind: str = "TEXT_DELIVERED",
    *,
    reference: str = "eum-1",
    final: bool = True,
    **more: Any,
) -> dict[str, Any]:
    """An event of EUM on a message."""
    event = {
        "eventType": kind,
        "eventVersion": "1.0",
        "eventTimestamp": int(time.time() * 1000),
        "isFinal": final,
        "originationPhoneNumber": "+5511900000000",
        "destinationPhoneNumber": "+5511987650005",
        "isoCountryCode": "BR",
        "mcc": "724",
        "mnc": "05",
        "carrierName": "Claro",
        "messageId": reference,
        "messageRequestTimestamp": int(time.time() * 1000),
        "messageEncoding": "GSM",
        "messageType": "TRANSACTIONAL",
        "messageStatus": kind.removeprefix("TEXT_"),
        "messageStatusDescription": "Message has been accepted by phone",
        "context": {"svc": message_id, "org": organization_id, "env": "live"},
        "totalMessageParts": 1,
        "totalMessagePrice": 0.0243,
        "totalCarrierFee": 0.0,
    }
    return {name: value for name, value in (event | more).items() if value is not None}


def a_reply(reference: str | None, text: str = "SIM", *, id: str = "mo-1") -> dict[str, Any]:
    """A two-way message."""
    reply = {
        "originationNumber": "+5511987650005",
        "destinationNumber": "+5511900000000",
        "messageKeyword": "KEYWORD_123",
        "messageBody": text,
        "inboundMessageId": id,
        "previousPublishedMessageId": reference,
    }
    return {name: value for name, value in reply.items() if value is not None}


def in_envelope(message: dict[str, Any], *, topic: str = TOPIC) -> str:
    """The SNS envelope of a message, as a queue gets it."""
    from core.foundation.clock import now, wire_time

    return json.dumps(
        {
            "Type": "Notification",
            "MessageId": "n1",
            "TopicArn": topic,
            "Message": json.dumps(message),
            "Timestamp": wire_time(now()),
            "SignatureVersion": "2",
            "Signature": "…",
            "SigningCertURL": "https://sns.sa-east-1.amazonaws.com/SimpleNotificationService-0.pem",
            "UnsubscribeURL": "https://sns.sa-east-1.amazonaws.com/?Action=Unsubscribe",
        }
    )


def a_log_line(
    reference: str,
    *,
    said: str = "Message has been accepted by phone",
    status: str = "SUCCESS",
    **more: Any,
) -> str:
    """What SNS writes into its log group."""
    delivery = {
        "phoneCarrier": "Claro",
        "mnc": 5,
        "destination": "+5511987650005",
        "priceInUSD": 0.03084,
        "smsType": "Transactional",
        "mcc": 724,
        "providerResponse": said,
        "dwellTimeMs": 599,
        "dwellTimeMsUntilDeviceAck": 1344,
    }
    return json.dumps(
        {
            "notification": {"messageId": reference, "timestamp": "2026-06-28 00:40:34.558"},
            "delivery": delivery | more,
            "status": status,
        }
    )
