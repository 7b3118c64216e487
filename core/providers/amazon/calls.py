"""Signed calls of AWS operations: one POST each, never repeated inside."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol
from urllib.parse import urlencode, urlsplit

import aiohttp
import orjson
from yarl import URL

from core.foundation.clock import now
from core.foundation.json_values import JsonObject, objects_of, read_object
from core.providers.amazon.signer import Keys, signed_headers
from core.providers.gateway.exchange import HttpReply, Silence, exchange

CALL_TIMEOUT_SECONDS = 10.0
MAX_ANSWER_BYTES = 12_000_000
"""A page of log events has a megabyte, and its texts are escaped."""


@dataclass(frozen=True, slots=True)
class AwsService:
    """A service of AWS as it is called. `target`: the prefix of its JSON operations; None: it
    speaks the older query protocol, of which `version` names the API. `variable`: what its endpoint
    is named by in AWS_ENDPOINT_URL_….
    """

    host: str
    variable: str
    target: str | None = None
    json: str = "1.0"
    version: str = ""


EUM_API = AwsService("sms-voice", "PINPOINT_SMS_VOICE_V2", "PinpointSMSVoiceV2")
SQS_API = AwsService("sqs", "SQS", "AmazonSQS")
LOGS_API = AwsService("logs", "CLOUDWATCH_LOGS", "Logs_20140328", json="1.1")
SNS_API = AwsService("sns", "SNS", version="2010-03-31")


class HasKeys(Protocol):
    """Where the keys of a call come from."""

    async def keys(self) -> Keys: ...


class AwsError(Exception):
    """A call that was not answered with a result. `code`: AWS's word for it, or ours."""

    def __init__(self, code: str, reason: str = "") -> None:
        super().__init__(f"{code} {reason}".strip())
        self.code = code
        self.reason = reason


class AwsApi:
    """One service in one region."""

    def __init__(
        self,
        service: AwsService,
        region: str,
        credentials: HasKeys,
        session: aiohttp.ClientSession,
        *,
        seconds: float = CALL_TIMEOUT_SECONDS,
    ) -> None:
        self._service = service
        self._region = region
        self._credentials = credentials
        self._session = session
        self._seconds = seconds
        self._url = URL(endpoint_of(service, region))
        self._host = _host_of(self._url)

    async def exchange(
        self, operation: str, body: Mapping[str, object], *, seconds: float | None = None
    ) -> HttpReply | Silence:
        """Call one operation, once. Raises nothing that AWS or the network may cause, but what the
        look-up of credentials does.
        """
        content, headers = self._wire(operation, body)
        signed = signed_headers(
            await self._credentials.keys(),
            headers,
            content,
            host=self._host,
            service=self._service.host,
            region=self._region,
            at=now(),
        )
        return await exchange(
            self._session,
            "POST",
            self._url,
            headers=signed,
            seconds=seconds or self._seconds,
            body=content,
            most=MAX_ANSWER_BYTES,
        )

    async def call(
        self, operation: str, body: Mapping[str, object], *, seconds: float | None = None
    ) -> JsonObject:
        """The result of an operation that may be asked again. Raises AwsError."""
        reply = await self.exchange(operation, body, seconds=seconds)
        if isinstance(reply, Silence):
            raise AwsError(reply.kind)
        if reply.status != 200:
            error = error_of(reply)
            raise AwsError(error.code or f"HTTP {reply.status}", error.reason)
        if self._service.target is None:
            return {}
        return read_object(reply.body)

    def _wire(self, operation: str, body: Mapping[str, object]) -> tuple[bytes, dict[str, str]]:
        if self._service.target is None:
            form = {"Action": operation, "Version": self._service.version, **body}
            return urlencode(form).encode(), {
                "content-type": "application/x-www-form-urlencoded; charset=utf-8"
            }
        return orjson.dumps(body), {
            "content-type": f"application/x-amz-json-{self._service.json}",
            "x-amz-target": f"{self._service.target}.{operation}",
        }


def endpoint_of(service: AwsService, region: str) -> str:
    """Where a service is called: the address of the AWS tools' own variables, or Amazon's."""
    for name in (f"AWS_ENDPOINT_URL_{service.variable}", "AWS_ENDPOINT_URL"):
        if address := os.environ.get(name):
            return address.rstrip("/") + "/"
    suffix = "amazonaws.com.cn" if region.startswith("cn-") else "amazonaws.com"
    return f"https://{service.host}.{region}.{suffix}/"


def region_of_queue(url: str) -> str | None:
    """The region in the address of a queue; None where it is not Amazon's."""
    parts = (urlsplit(url).hostname or "").split(".")
    return parts[1] if len(parts) >= 4 and parts[0] == "sqs" else None


# Errors -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ErrorBody:
    """What an error says. `code`: empty where nothing can be read. `fields`: names of what is
    wrong.
    """

    code: str = ""
    reason: str = ""
    fields: tuple[str, ...] = ()


def error_of(reply: HttpReply) -> ErrorBody:
    """The error of a JSON service; never its message, which may repeat a phone."""
    body = read_object(reply.body)
    code = str(body.get("__type") or body.get("code") or "")
    code = code.rpartition("#")[2].partition(":")[0]
    names = tuple(str(one.get("Name")) for one in objects_of(body, "Fields"))
    return ErrorBody(code[:80], str(body.get("Reason") or "")[:80], names)


def _host_of(url: URL) -> str:
    return url.host_port_subcomponent or ""
