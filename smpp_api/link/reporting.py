"""Telling the service what operators said, by its signed callbacks, until it has taken it."""

import asyncio
from collections import defaultdict
from collections.abc import Sequence
from datetime import timedelta
from urllib.parse import urlsplit

import aiohttp
import orjson
import structlog

from core.foundation.clock import real_now, wire_time
from core.foundation.database.availability import is_outage
from core.foundation.observability.outage_log import tell_outage
from core.foundation.pauses import pause
from core.providers.gateway import SIGNATURE_HEADER, sign
from core.smpp.link import (
    DueReport,
    ReportKind,
    claim_reports,
    drop_reports,
    forget_messages,
    put_off_reports,
)

BATCH_SIZE = 500
"""What one callback may hold."""
POLL_SECONDS = 0.2
RETRY = timedelta(seconds=2)
CALLBACK_SECONDS = 15.0
FORGET_SECONDS = 60.0
REJECTION = "carrier_rejected"
WORDS = {"DELIVRD": "Delivered", "UNDELIV": "Not delivered", "EXPIRED": "Too late"}

log = structlog.get_logger()


class Reporting:
    """Tells the service at this address."""

    def __init__(self, service: str, secret: str) -> None:
        self._service = service.rstrip("/")
        self._secret = secret

    async def run(self, stop: asyncio.Event) -> None:
        """Tell until told to stop."""
        loop = asyncio.get_running_loop()
        cleaned_at = 0.0
        timeout = aiohttp.ClientTimeout(total=CALLBACK_SECONDS)
        async with aiohttp.ClientSession(timeout=timeout, trust_env=False) as http:
            while not stop.is_set():
                more = 0
                try:
                    more = await self.tell_due(http)
                    if loop.time() - cleaned_at > FORGET_SECONDS:
                        cleaned_at = loop.time()
                        await forget_messages(at=real_now())
                except Exception as error:
                    if is_outage(error):
                        tell_outage("database_away", error)
                    else:
                        log.exception("smpp_link_reporting_failed")
                if not more:
                    await pause(POLL_SECONDS, until=stop)

    async def tell_due(self, http: aiohttp.ClientSession) -> int:
        """Tell what is due, of each organization together. Answers how much that was."""
        due = await claim_reports(at=real_now(), limit=BATCH_SIZE)
        together: dict[tuple[str, ReportKind], list[DueReport]] = defaultdict(list)
        for report in due:
            together[report.organization_id, report.kind].append(report)
        await asyncio.gather(
            *(self._post(http, *whose, reports) for whose, reports in together.items())
        )
        return len(due)

    async def _post(
        self,
        http: aiohttp.ClientSession,
        organization_id: str,
        kind: ReportKind,
        reports: Sequence[DueReport],
    ) -> None:
        word = "receipts" if kind is ReportKind.RECEIPT else "replies"
        url = f"{self._service}/providers/gateway/{organization_id}/{word}"
        item = _receipt if kind is ReportKind.RECEIPT else _reply
        body = orjson.dumps({"items": [item(report) for report in reports]})
        # The service may stand behind a prefix that its proxy takes away.
        path = urlsplit(url).path
        path = path[path.index("/providers/") :]
        at = int(real_now().timestamp())
        headers = {
            SIGNATURE_HEADER: sign(self._secret, body, to=f"POST {path}", at=at),
            "Content-Type": "application/json",
        }
        try:
            async with http.post(url, data=body, headers=headers, allow_redirects=False) as answer:
                status = answer.status
        except (aiohttp.ClientError, TimeoutError) as error:
            log.warning("smpp_link_not_told", kind=word, error=type(error).__name__)
            status = 0
        ids = [report.id for report in reports]
        # 400: what could be read was stored, and the rest is as unreadable the next time.
        if status in (200, 400):
            await drop_reports(ids)
        else:
            if status:
                log.warning("smpp_link_not_told", kind=word, status=status)
            await put_off_reports(ids, until=real_now() + RETRY)


def _receipt(report: DueReport) -> dict[str, str | None]:
    state = report.state or "UNKNOWN"
    item: dict[str, str | None] = {
        "id": report.reference or report.message_id,
        "reference": report.message_id,
        "to": report.phone or "-",
        "type": "api_message",
        "status": state,
        "statusDescription": WORDS.get(state, "Refused"),
        "received": wire_time(report.at),
        "channel": "SMS",
    }
    if state == "REJECTD":
        item["reason"] = REJECTION
    return item


def _reply(report: DueReport) -> dict[str, str | None]:
    return {
        "id": f"mo-{report.id}",
        "inReplyTo": report.message_id,
        "from": report.phone,
        "body": report.text,
        "receivedAt": wire_time(report.at),
    }
