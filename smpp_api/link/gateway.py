"""The protocol of docs/gateway.md in front of operators: each id leaves once, and what they say is looked up."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import orjson
import structlog
from aiohttp import web

from core.foundation.clock import real_now
from core.foundation.database.availability import is_outage
from core.foundation.ids import is_id
from core.foundation.observability.outage_log import tell_outage
from core.providers.contracts import FALLBACK
from core.providers.gateway import SIGNATURE_HEADER, verify
from core.smpp.link import (
    LinkMessage,
    LinkState,
    ReportKind,
    StoredLinkMessage,
    SubmittedPart,
    ToldByOperator,
    begin_message,
    drop_message,
    find_message,
    keep_report,
    note_part,
    note_refused,
    note_unknown,
    recipient_of,
)
from smpp_api.link.incoming import compared
from smpp_api.link.links_file import LinkSettings
from smpp_api.link.operator_link import (
    AWAY,
    BUSY,
    NothingLeft,
    OperatorLink,
    OutcomeLost,
    PartAnswer,
    PartTaken,
    RecipientRefused,
)
from smpp_api.link.outgoing import OutgoingSms, parts_for
from smpp_api.wire.bodies import ShortMessage

MAX_BODY_BYTES = 64 * 1024
MAX_UNDER_WAY = 5_000
"""Messages at once; above that the service is told to come again."""
START_SECONDS = 5.0
"""How long a message waits for room before nothing of it has left."""
FINISH_SECONDS = 60.0
"""How long the other parts of one wait whose first has left."""
WRITE_SECONDS, WRITE_AGAIN_SECONDS = 60.0, 0.5
"""How long it is tried to write down what has left, and how often."""

log = structlog.get_logger()


class LinkGateway:
    """Takes the messages of the service, and hands them to the first link that takes them."""

    def __init__(self, links: Sequence[OperatorLink], *, secret: str) -> None:
        self._links = links
        self._secret = secret
        self._under_way: dict[str, asyncio.Task[PartAnswer]] = {}

    def app(self) -> web.Application:
        """The two addresses of the protocol."""
        app = web.Application(client_max_size=MAX_BODY_BYTES)
        app.add_routes(
            [web.post("/messages", self._take), web.get("/messages/{id}", self._look_up)]
        )
        return app

    async def finish(self, *, seconds: float) -> None:
        """What is under way comes to its end."""
        if self._under_way:
            await asyncio.wait(self._under_way.values(), timeout=seconds)

    async def _take(self, request: web.Request) -> web.Response:
        body = _object_in(await self._signed_body(request))
        if body.get("channel") == "rcs":
            return web.json_response({"reason": "no_rcs"}, status=422)
        message = OutgoingSms.read(body)
        if message is None or not is_id("msg", message.id.removesuffix(FALLBACK)):
            return web.json_response({"reason": "unreadable"}, status=400)
        task = self._under_way.get(message.id)
        if task is None:
            if len(self._under_way) >= MAX_UNDER_WAY:
                return _response(BUSY)
            task = asyncio.get_running_loop().create_task(self._once(message))
            self._under_way[message.id] = task
            task.add_done_callback(lambda _: self._under_way.pop(message.id))
        # To its end, though the service hang up meanwhile: what has left is noted.
        return _response(await asyncio.shield(task))

    async def _once(self, message: OutgoingSms) -> PartAnswer:
        """Hand a message over that was not handed over before; else answer what became of it."""
        noted = LinkMessage(message.id, message.organization_id, recipient_of(message.to))
        try:
            if not await begin_message(noted):
                return _known(await find_message(message.id))
        except Exception as error:
            _tell(error)
            return AWAY
        try:
            return await self._hand_over(message)
        except Exception as error:  # it may have left
            _tell(error)
            return OutcomeLost()

    async def _hand_over(self, message: OutgoingSms) -> PartAnswer:
        """By the first link that takes it. Another is asked after a clear refusal alone."""
        answer: PartAnswer = AWAY
        for link in sorted(self._links, key=lambda link: not link.is_open):
            try:
                parts = parts_for(message, link.settings)
            except ValueError:
                answer = RecipientRefused("carrier_rejected")
                break
            answer = await self._hand_over_parts(message, link, parts)
            if not isinstance(answer, NothingLeft):
                break
        match answer:
            case NothingLeft():
                await _written(lambda: drop_message(message.id))
            case RecipientRefused(reason):
                await _written(lambda: note_refused(message.id, reason))
        return answer

    async def _hand_over_parts(
        self, message: OutgoingSms, link: OperatorLink, parts: Sequence[ShortMessage]
    ) -> PartAnswer:
        """One after the other. Once the first has left, the message has: a part that is not taken
        then ends it as undelivered.
        """
        before = asyncio.get_running_loop().time() + START_SECONDS
        first = await self._hand_over_part(message, link, parts, 1, before)
        if not isinstance(first, PartTaken):
            return first
        before += FINISH_SECONDS
        for number in range(2, len(parts) + 1):
            answer = await self._hand_over_part(message, link, parts, number, before)
            if not isinstance(answer, PartTaken | OutcomeLost):
                log.warning("smpp_link_part_not_taken", link=link.settings.name, part=number)
                await _written(partial(_note_missing, message, link, parts, number))
                break
        return first

    async def _hand_over_part(
        self,
        message: OutgoingSms,
        link: OperatorLink,
        parts: Sequence[ShortMessage],
        number: int,
        before: float,
    ) -> PartAnswer:
        answer = await link.submit(parts[number - 1], before=before)
        match answer:
            case PartTaken(smsc_id):
                id = compared(smsc_id, link.settings.response_ids)[:65]
                reference = _reference(smsc_id)
                name = link.settings.name
                part = SubmittedPart(
                    *(message.id, number, len(parts), name, id, reference),
                    said_id=smsc_id,
                    source=parts[number - 1].source.value,
                    ask_at=_ask_at(link.settings),
                )
                await _written(lambda: note_part(part))
                return PartTaken(reference)
            case OutcomeLost():
                await _written(lambda: note_unknown(message.id, parts=len(parts)))
        return answer

    async def _look_up(self, request: web.Request) -> web.Response:
        await self._signed_body(request)
        id = request.match_info["id"]
        try:
            known = await find_message(id) if len(id) <= 80 else None
        except Exception as error:
            _tell(error)
            return _response(AWAY)
        if known is None or known.state is LinkState.REFUSED:
            return web.json_response({}, status=404)
        if known.reference is None:
            return _response(OutcomeLost())
        return web.json_response({"reference": known.reference, "status": known.told or "ACCEPTD"})

    async def _signed_body(self, request: web.Request) -> bytes:
        body = await request.read()
        header, to = request.headers.get(SIGNATURE_HEADER), f"{request.method} {request.path}"
        if verify(self._secret, header, body, to=to, at=int(real_now().timestamp())) != "v2":
            raise web.HTTPUnauthorized
        return body


def _ask_at(settings: LinkSettings) -> datetime | None:
    """When an operator is first asked about what it takes now; None: never."""
    minutes = settings.ask_after
    return real_now() + timedelta(minutes=minutes) if minutes else None


async def _written(write: Callable[[], Awaitable[None]]) -> None:
    """Written down, also where the database is away for a moment: what has left cannot be asked
    again.
    """
    deadline = asyncio.get_running_loop().time() + WRITE_SECONDS
    while True:
        try:
            return await write()
        except Exception as error:
            if not is_outage(error) or asyncio.get_running_loop().time() > deadline:
                raise
            tell_outage("database_away", error)
        await asyncio.sleep(WRITE_AGAIN_SECONDS)


async def _note_missing(
    message: OutgoingSms, link: OperatorLink, parts: Sequence[ShortMessage], number: int
) -> None:
    """A part that will not come: the message is told as undelivered."""
    id, name = f"missing {message.id[-40:]}/{number}", link.settings.name
    await note_part(SubmittedPart(message.id, number, len(parts), name, id, message.id))
    await keep_report(
        ToldByOperator(
            ReportKind.RECEIPT, name, message.to, real_now(), smsc_id=id, state="UNDELIV"
        )
    )


def _object_in(body: bytes) -> dict[str, Any]:
    try:
        found = orjson.loads(body)
    except orjson.JSONDecodeError:
        return {}
    return found if isinstance(found, dict) else {}


def _known(stored: StoredLinkMessage | None) -> PartAnswer:
    """What became of a message that was begun before."""
    if stored is None:
        return BUSY  # it was dropped in this moment: the next request is a first one
    if stored.state is LinkState.REFUSED:
        return RecipientRefused(stored.reason)  # type: ignore[arg-type]
    return PartTaken(stored.reference) if stored.reference is not None else OutcomeLost()


def _reference(smsc_id: str) -> str:
    """As the protocol lets a reference be: printable, without spaces."""
    return "".join(char if "!" <= char <= "~" else "_" for char in smsc_id)[:80]


def _tell(error: Exception) -> None:
    if is_outage(error):
        tell_outage("database_away", error)
    else:
        log.error("smpp_link_send_failed", exc_info=error)


def _response(answer: PartAnswer) -> web.Response:
    match answer:
        case PartTaken(reference):
            return web.json_response({"reference": reference})
        case RecipientRefused(reason):
            return web.json_response({"reason": reason}, status=422)
        case NothingLeft(status, retry_after):
            headers = {"Retry-After": str(retry_after)} if retry_after else {}
            return web.json_response({}, status=status, headers=headers)
        case OutcomeLost():
            return web.json_response({}, status=504)
