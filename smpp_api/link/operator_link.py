"""The link to one operator: its binds, opened again whenever they end, its pace, and what its answers mean."""

import asyncio
import random
from collections.abc import Sequence
from dataclasses import dataclass

import structlog

from core.foundation.pauses import pause
from core.providers.contracts import SmsRefusal
from core.smpp import Mode
from smpp_api.link.links_file import LinkSettings, Meaning
from smpp_api.link.operator_bind import BindFailed, Keeps, OperatorBind
from smpp_api.link.pace import Pace
from smpp_api.metrics import LINK_BINDS, LINK_SUBMITS
from smpp_api.wire.bodies import Named, QuerySm, ShortMessage, read_body
from smpp_api.wire.commands import Command, CommandStatus, Malformed
from smpp_api.wire.frames import Frame

RECONNECT_SECONDS = (1.0, 2.0, 5.0, 10.0, 30.0)
LOOK_SECONDS = 0.2
ROOM_SECONDS = 0.02

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class PartTaken:
    """The operator has it, under this id."""

    smsc_id: str


@dataclass(frozen=True, slots=True)
class RecipientRefused:
    """Not taken, because of its recipient: another link would refuse it too."""

    reason: SmsRefusal


@dataclass(frozen=True, slots=True)
class NothingLeft:
    """Clearly not taken; the message may come again, or by another link. `status`: what the service is
    answered.
    """

    status: int
    retry_after: int | None = None


@dataclass(frozen=True, slots=True)
class OutcomeLost:
    """No readable answer: it may have been taken, and never leaves again."""


PartAnswer = PartTaken | RecipientRefused | NothingLeft | OutcomeLost

AWAY = NothingLeft(503)
BUSY = NothingLeft(429, retry_after=1)
_BY_MEANING: dict[Meaning, PartAnswer] = {
    "invalid_number": RecipientRefused("invalid_number"),
    "carrier_rejected": RecipientRefused("carrier_rejected"),
    "blacklisted": RecipientRefused("blacklisted"),
    "out_of_credit": NothingLeft(402),
    "throttled": BUSY,
    "not_taken": NothingLeft(502),
}
_MEANINGS: dict[int, Meaning] = {
    CommandStatus.ESME_RTHROTTLED: "throttled",
    CommandStatus.ESME_RMSGQFUL: "throttled",
    CommandStatus.ESME_RINVDSTADR: "invalid_number",
    CommandStatus.ESME_RINVDSTTON: "invalid_number",
    CommandStatus.ESME_RINVDSTNPI: "invalid_number",
    CommandStatus.ESME_RX_P_APPN: "carrier_rejected",
    CommandStatus.ESME_RX_R_APPN: "carrier_rejected",
    CommandStatus.ESME_RDELIVERYFAILURE: "carrier_rejected",
}
"""By the specification; all others say that it was not taken."""


_WORDS: dict[type[PartAnswer], str] = {
    PartTaken: "taken",
    RecipientRefused: "refused",
    NothingLeft: "not_taken",
    OutcomeLost: "unknown",
}


class OperatorLink:
    """One operator, as `settings` describe it. `keeps`: what becomes of what it delivers."""

    def __init__(self, settings: LinkSettings, keeps: Keeps) -> None:
        self.settings = settings
        self._keeps = keeps
        self._binds: set[OperatorBind] = set()
        self._pace = Pace(settings.rate)
        self._room = asyncio.Event()
        self._meanings = {**_MEANINGS, **settings.meanings}

    @property
    def is_open(self) -> bool:
        """Whether it is bound for submits."""
        return any(bind.is_open for bind in self._binds)

    async def run(self, stop: asyncio.Event) -> None:
        """Keep its binds open until told to stop, then unbind them."""
        modes: Sequence[Mode] = (
            ("transceiver",) if self.settings.bind == "transceiver" else ("transmitter", "receiver")
        )
        await asyncio.gather(
            *(self._keep(mode, stop) for _ in range(self.settings.binds) for mode in modes)
        )

    async def _keep(self, mode: Mode, stop: asyncio.Event) -> None:
        failures = 0
        while not stop.is_set():
            try:
                bind = await OperatorBind.opened(self.settings, mode, self._keeps)
            except BindFailed as failed:
                log.warning("smpp_link_not_bound", link=self.settings.name, reason=failed.reason)
            except Exception:
                log.exception("smpp_link_failed", link=self.settings.name)
            else:
                failures = 0
                log.info("smpp_link_bound", link=self.settings.name, mode=mode)
                await self._watch(bind, stop)
            if not stop.is_set():
                seconds = RECONNECT_SECONDS[min(failures, len(RECONNECT_SECONDS) - 1)]
                failures += 1
                await pause(seconds * random.uniform(0.8, 1.2), until=stop)  # noqa: S311 - no secret

    async def _watch(self, bind: OperatorBind, stop: asyncio.Event) -> None:
        """Until it ends, or is to end."""
        self._binds.add(bind)
        self._measure()
        self._room.set()
        try:
            while not (stop.is_set() or bind.ended.is_set()):
                bind.look()
                await pause(LOOK_SECONDS, until=bind.ended)
            if stop.is_set():
                await bind.leave()
            else:
                log.warning("smpp_link_lost", link=self.settings.name, mode=bind.mode)
        finally:
            self._binds.discard(bind)
            self._measure()

    def _measure(self) -> None:
        LINK_BINDS.labels(self.settings.name).set(sum(bind.is_open for bind in self._binds))

    async def submit(self, message: ShortMessage, *, before: float) -> PartAnswer:
        """Hand a part over as soon as its pace and its windows let it, at the latest `before`; a
        part that is too much for the operator is tried again until then.
        """
        loop = asyncio.get_running_loop()
        while True:
            bind = await self._in_turn(before)
            if bind is None:
                return BUSY if self.is_open else AWAY
            answer = await bind.submit(message)
            self._room.set()
            found = self._meaning(answer)
            LINK_SUBMITS.labels(_WORDS[type(found)]).add()
            if found is not BUSY:
                return found
            self._pace.slow_down()
            if loop.time() >= before:
                return BUSY

    async def query(self, asked: QuerySm, *, before: float) -> Frame | None:
        """Ask what became of a message, within the pace and the windows; None where no answer came."""
        bind = await self._in_turn(before)
        if bind is None:
            return None
        answer = await bind.query(asked)
        self._room.set()
        if answer is not None and self._meanings.get(answer.status) == "throttled":
            self._pace.slow_down()
        return answer

    async def _in_turn(self, before: float) -> OperatorBind | None:
        """The bind with the most room, once it is the turn of one more; None where it is not in
        time.
        """
        bind = await self._free(before)
        seconds = None if bind is None else self._pace.turn(before=before)
        if seconds is None:
            return None
        if seconds > 0:
            await asyncio.sleep(seconds)
            bind = await self._free(before)
        return bind

    async def _free(self, before: float) -> OperatorBind | None:
        """The bind with the most room; None where none has any in time."""
        loop = asyncio.get_running_loop()
        while True:
            free = [bind for bind in self._binds if bind.has_room]
            if free:
                return min(free, key=lambda bind: bind.submits)
            if not self.is_open or loop.time() >= before:
                return None
            self._room.clear()
            await pause(min(ROOM_SECONDS, before - loop.time()), until=self._room)

    def _meaning(self, answer: Frame | None) -> PartAnswer:
        if answer is None:
            return OutcomeLost()
        if answer.status == CommandStatus.ESME_ROK and answer.command == Command.SUBMIT_SM_RESP:
            try:
                named = read_body(answer.command, answer.body)
            except Malformed:
                return OutcomeLost()
            # Without an id no receipt names it; but it was taken.
            return (
                PartTaken(named.name) if isinstance(named, Named) and named.name else OutcomeLost()
            )
        return _BY_MEANING[self._meanings.get(answer.status, "not_taken")]
