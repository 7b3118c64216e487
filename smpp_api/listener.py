"""The listener of one process: its sessions, their clients as they are now, and their end."""

import asyncio
import ssl
from collections import Counter
from collections.abc import Coroutine, Iterator
from typing import Any

import structlog

from core import cells, smpp
from core.cells import Cell, use_cell
from core.foundation.clock import now
from core.foundation.database.availability import is_outage
from core.foundation.ids import new_id
from core.foundation.observability.outage_log import tell_outage
from core.foundation.pauses import pause
from core.smpp import BindUse, SmppClient
from smpp_api.deliveries import Deliveries
from smpp_api.metrics import BINDS, DELIVERIES, FULL_BINDS
from smpp_api.session import MODES, SmppSession
from smpp_api.trace import Traced, Tracing

MAX_CONNECTIONS, MAX_UNBOUND = 10_000, 2_000
"""In all, and of those that are not bound (yet): what they may hold of our memory is bounded by both."""
LOOK_SECONDS = 1.0
"""How often sessions are looked after: who is silent, who is late."""
REFRESH_EVERY = 2
"""Looks until accounts are read again: one that is revoked is unbound within this time."""
KEEP_EVERY = 10
"""Looks until the binds of a process are renewed."""

log = structlog.get_logger()


class Listener:
    """Takes connections until it is told to stop."""

    def __init__(self, tracing: Tracing | None = None) -> None:
        self._tracing = tracing
        self.process = new_id("prc")
        self._sessions: set[SmppSession] = set()
        self._unbound: set[SmppSession] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None
        self._is_empty = asyncio.Event()
        self._is_empty.set()

    def joined(self, session: SmppSession) -> bool:
        """Whether there is room for one more connection."""
        if len(self._sessions) >= MAX_CONNECTIONS or len(self._unbound) >= MAX_UNBOUND:
            return False
        self._sessions.add(session)
        self._unbound.add(session)
        self._is_empty.clear()
        return True

    def bound(self, session: SmppSession) -> None:
        """The connection is one of a client."""
        self._unbound.discard(session)

    def left(self, session: SmppSession) -> None:
        """The connection has ended; its bind counts no more."""
        self._sessions.discard(session)
        self._unbound.discard(session)
        if not self._sessions:
            self._is_empty.set()
        if session.bind_id is not None and session.client is not None:
            with use_cell(session.client.cell):
                self._begin(_closed(session.bind_id))

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def listen(self, host: str, port: int, *, tls: ssl.SSLContext | None) -> int:
        """Begin to take connections; answers the port."""
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(
            lambda: SmppSession(self), host, port, ssl=tls, backlog=1024
        )
        found: int = self._server.sockets[0].getsockname()[1]
        return found

    async def run(self, stop: asyncio.Event) -> None:
        """Look after the sessions until told to stop."""
        looks = 0
        self._begin(Deliveries(lambda: self._sessions).run(stop))
        while not stop.is_set():
            for session in list(self._sessions):
                session.look()
            self._measure()
            try:
                every = await cells.every_cell()
            except Exception as error:
                _tell(error)
                every = []
            await asyncio.gather(*(self._look_into(cell, looks) for cell in every))
            if self._tracing is not None and looks % REFRESH_EVERY == 0:
                await self._tracing.look({client.account.id for client in self._clients()})
            looks += 1
            await pause(LOOK_SECONDS, until=stop)

    async def _look_into(self, cell: Cell, looks: int) -> None:
        """Accounts and binds of a cell; one that is away holds up no other."""
        try:
            with use_cell(cell):
                if looks % REFRESH_EVERY == 0:
                    await self._refresh(cell)
                if looks % KEEP_EVERY == 0:
                    await smpp.keep_binds(self.process, self._uses(cell), at=now())
                    await smpp.forget_parts(at=now())
                    await smpp.forget_submits(at=now())
                    await _expire()
        except Exception as error:
            _tell(error)

    def _measure(self) -> None:
        modes = Counter(session.mode for session in self._sessions)
        for mode in MODES.values():
            BINDS.labels(mode).set(modes[mode])
        FULL_BINDS.labels().set(sum(session.has_full_window for session in self._sessions))

    def _clients(self) -> Iterator[SmppClient]:
        return (one.client for one in self._sessions if one.client is not None)

    def _uses(self, cell: Cell) -> list[BindUse]:
        return [
            use
            for session in self._sessions
            if _is_of(session, cell) and (use := session.use) is not None
        ]

    async def _refresh(self, cell: Cell) -> None:
        """Clients as they are now; those that are at work no more, or may not bind from where they
        are, or live in another cell by now, and binds that somebody has ended are unbound.
        """
        bound = [session for session in self._sessions if _is_of(session, cell)]
        ids = {session.client.account.id for session in bound if session.client is not None}
        if not ids:
            return
        clients = await smpp.clients_of(ids)
        ended = await smpp.ended_binds(self.process)
        for session in bound:
            assert session.client is not None
            found = clients.get(session.client.account.id)
            if (
                found is None
                or session.bind_id in ended
                or not found.may_bind_from(session.peer, session.certificate)
                or await cells.cell_of(found.caller.organization_id) != cell
            ):
                session.leave()
            else:
                session.client = found
                session.traced = self._traced(found.account.id)

    def _traced(self, account_id: str) -> Traced | None:
        return None if self._tracing is None else self._tracing.of(account_id)

    async def stop(self, *, seconds: float) -> None:
        """Take nothing more, answer what is under way, unbind, close; what is left then is cut off."""
        if self._server is not None:
            self._server.close()
        for session in list(self._sessions):
            session.leave()
        await pause(seconds, until=self._is_empty)
        for session in list(self._sessions):
            session.cut_off()
        await asyncio.sleep(0)
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=2)


async def _expire() -> None:
    """Receipts and replies that nobody has taken in time."""
    expired = await smpp.forget_receipts(at=now()) + await smpp.forget_replies(at=now())
    if expired:
        DELIVERIES.labels("expired").add(expired)
        log.warning("smpp_deliveries_expired", deliveries=expired)


def _is_of(session: SmppSession, cell: Cell) -> bool:
    return session.client is not None and session.client.cell == cell


def _tell(error: Exception) -> None:
    if is_outage(error):
        tell_outage("database_away", error)
    else:
        log.error("smpp_refresh_failed", exc_info=error)


async def _closed(bind_id: str) -> None:
    try:
        await smpp.close_bind(bind_id)
    except Exception as error:  # its lease ends
        if not is_outage(error):
            log.exception("smpp_bind_not_closed")
