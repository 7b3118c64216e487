"""Posting once: one `PostResult` whatever the peer does (refuse, hang, drip, lie, never end)."""

from collections.abc import Mapping
from dataclasses import dataclass
from time import perf_counter
from typing import Literal

import structlog

from core.foundation import clock
from core.foundation.dry_run import refuse_dry_run
from core.foundation.http_client.client import GuardedClient
from core.foundation.http_client.exchange import exchange
from core.foundation.http_client.policy import OutboundRefused, Refusal
from core.foundation.http_client.retry_after import seconds_to_wait

_log = structlog.get_logger(__name__)

Failure = Literal["timeout", "unreachable"] | Refusal


@dataclass(frozen=True, slots=True)
class PostResult:
    """What came back. Either `status` or `error` is set, never both.

    `latency_ms` runs until the reply was complete or given up. `body` is the beginning of the
    answer, decoded as UTF-8 with U+FFFD for what is not text (and for NUL, which the database
    cannot store). `retry_after` is in seconds, as the server asked.
    """

    status: int | None
    latency_ms: int
    body: str = ""
    error: Failure | None = None
    retry_after: float | None = None

    @property
    def ok(self) -> bool:
        """A 2xx; redirects are failures."""
        return self.status is not None and 200 <= self.status < 300


async def post(
    client: GuardedClient,
    url: str,
    *,
    body: bytes,
    headers: Mapping[str, str],
    timeout: float = 15,  # noqa: ASYNC109 - an answer that came in time is kept when its body drips
    connect_timeout: float = 5,
    keep: int = 4096,
) -> PostResult:
    """POST `body` to `url` through a client of `open_client`, following nothing.

    `timeout` bounds the whole exchange and `connect_timeout` name look-up, TCP and TLS together, in
    seconds; `keep` bounds the answer's body in bytes. The rest is not read: the connection is
    dropped instead. The status line decides: once it has arrived the peer has answered, and a body
    that then breaks off or drips does not turn the answer into a failure.

    Raises nothing that the peer can cause. Cancellation passes; so does the error of a client that
    was closed under the request: that is our shutdown, not the peer's failure; and NotRehearsable in a
    dry run, which calls nobody.
    """
    refuse_dry_run()
    started = perf_counter()
    try:
        answer = await exchange(
            client.pool,
            client.route_to(url),
            body=body,
            headers=headers,
            timeout=timeout,
            connect_timeout=connect_timeout,
            keep=keep,
        )
    except Exception as error:
        if client.closed:
            raise
        return PostResult(status=None, latency_ms=_ms_since(started), error=_failure(error))
    asked = answer.retry_after
    return PostResult(
        status=answer.status,
        latency_ms=_ms_since(started),
        body=answer.body.decode("utf-8", "replace").replace("\x00", "\ufffd")
        if answer.body
        else "",
        retry_after=seconds_to_wait(asked, clock.real_now()) if asked is not None else None,
    )


def _failure(error: Exception) -> Failure:
    match error:
        case OutboundRefused():
            return error.reason
        case TimeoutError():
            return "timeout"
        case OSError():
            return "unreachable"
        case _:
            # Odd names have made the parsers and codecs of the system raise anything. The trouble
            # of one receiver must not stop the deliveries to others; but somebody should know.
            _log.warning("outbound_post_failed_oddly", kind=type(error).__name__)
            return "unreachable"


def _ms_since(started: float) -> int:
    return round((perf_counter() - started) * 1000)
