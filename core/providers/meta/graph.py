"""The Graph API client: one request each, with the sender's token, and its answer or failure."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import IO, TypedDict, Unpack

import aiohttp
import orjson
import structlog
from yarl import URL

from core.foundation.json_values import JsonObject, object_of, read_object
from core.providers.gateway.exchange import HttpReply, Silence, exchange
from core.providers.meta.errors import TEMPORARY, code_of, sentence_of
from core.providers.meta.signature import proof_of
from core.providers.platform import SenderAccount, UpstreamError

NETWORK = "network"
"""In place of a code: nothing readable came back."""

_GONE_SUBCODE = "33"  # of code 100: there is no such object

_log = structlog.get_logger(__name__)


class GraphRequest(TypedDict, total=False):
    """What a request says besides its method, sender and path. `seconds`: its bound, where it is not
    the client's.
    """

    query: Mapping[str, str]
    body: object
    form: aiohttp.FormData
    seconds: float


@dataclass(frozen=True, slots=True)
class GraphClient:
    """Where the platform is and how we prove who we are. `token`: for numbers without one of their
    own.
    """

    url: URL
    instagram_url: URL
    secret: str = field(repr=False)
    token: str | None = field(repr=False)
    session: aiohttp.ClientSession
    seconds: float

    async def reach(
        self, method: str, sender: SenderAccount, path: str, **request: Unpack[GraphRequest]
    ) -> HttpReply | Silence | None:
        """One request; None when there is no token to make it with."""
        token = self.token_of(sender)
        if token is None:
            return None
        body = request.get("body")
        headers = {"Authorization": f"Bearer {token}"}
        if body is not None:
            headers["Content-Type"] = "application/json"
        return await exchange(
            self.session,
            method,
            self._url(sender, path, token, request.get("query", {})),
            headers=headers,
            seconds=request.get("seconds", self.seconds),
            body=request.get("form") if body is None else orjson.dumps(body),
        )

    async def ask(
        self, method: str, sender: SenderAccount, path: str, **request: Unpack[GraphRequest]
    ) -> JsonObject:
        """The object that the platform answers. Raises UpstreamError."""
        reply = await self.reach(method, sender, path, **request)
        if reply is None:
            raise _no_token()
        return _answer(reply)

    async def put(
        self, sender: SenderAccount, path: str, content: IO[bytes], *, seconds: float
    ) -> JsonObject:
        """Send the bytes of an upload that was begun. Raises UpstreamError."""
        token = self.token_of(sender)
        if token is None:
            raise _no_token()
        # These addresses know the token under another word, and no proof.
        headers = {"Authorization": f"OAuth {token}", "file_offset": "0"}
        return _answer(
            await exchange(
                self.session,
                "POST",
                self.url / path,
                headers=headers,
                seconds=seconds,
                body=content,
            )
        )

    def token_of(self, sender: SenderAccount) -> str | None:
        """The access token of a sender. An Instagram account has its own or none."""
        return sender.token or (self.token if sender.channel == "whatsapp" else None)

    def _url(self, sender: SenderAccount, path: str, token: str, query: Mapping[str, str]) -> URL:
        if sender.channel == "instagram":
            return (self.instagram_url / path).with_query(
                query
            )  # where the secret is another app's
        return (self.url / path).with_query(
            {**query, "appsecret_proof": proof_of(self.secret, token)}
        )


def _answer(reply: HttpReply | Silence) -> JsonObject:
    if isinstance(reply, Silence):
        raise UpstreamError(NETWORK, "The platform did not answer.", retryable=True)
    answer = read_object(reply.body)
    if not 200 <= reply.status < 300:
        raise _failure(reply, answer)
    if not answer:
        raise UpstreamError(
            str(reply.status), "The platform's answer cannot be read.", retryable=True
        )
    return answer


def _no_token() -> UpstreamError:
    return UpstreamError("190", "The number has no access token.")


def error_code(answer: JsonObject) -> str | None:
    """The code of a refusal; a subcode in its place where that says more."""
    error = object_of(answer, "error")
    code, subcode = code_of(error.get("code")), code_of(error.get("error_subcode"))
    return subcode if subcode is not None and len(subcode) >= 6 and _is_known(subcode) else code


def is_temporary(answer: JsonObject, code: str | None) -> bool:
    """Whether the platform says that another try may succeed."""
    return code in TEMPORARY or object_of(answer, "error").get("is_transient") is True


def _is_known(code: str) -> bool:
    return sentence_of(code) != sentence_of("")


def _failure(reply: HttpReply, answer: JsonObject) -> UpstreamError:
    code = error_code(answer)
    subcode = code_of(object_of(answer, "error").get("error_subcode"))
    gone = reply.status == 404 or (code == "100" and subcode == _GONE_SUBCODE)
    retryable = reply.status == 429 or reply.status >= 500 or is_temporary(answer, code)
    _log.warning("meta_request", status=reply.status, code=code, subcode=subcode)
    if code is None:
        error = (
            "The platform failed."
            if reply.status >= 500
            else "The platform refused without saying why."
        )
        return UpstreamError(str(reply.status), error, gone=gone, retryable=retryable)
    return UpstreamError(code, sentence_of(code), gone=gone, retryable=retryable)
