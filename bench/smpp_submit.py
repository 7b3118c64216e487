"""submit_sm by transceivers of window 100, 10 and 1, long texts in parts, and receipts out, against `core.sms` and
an echo.
"""

import asyncio
import statistics
import time
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import cast

from bench.kit.house import House
from bench.kit.organizations import some_customers
from bench.kit.report import Goal, Report, Row
from cli.address import free_port
from core import smpp
from core.foundation.database import db
from core.foundation.security.caller import Caller, system_caller
from core.smpp import NewSmppAccount
from smpp_api.wire.bodies import Address, Bind, ShortMessage
from smpp_api.wire.commands import Command
from smpp_api.wire.frames import Frames, framed
from smpp_api.wire.parts import HAS_HEADER, cut

WINDOW, SMALL_WINDOW, BINDS = 100, 10, 4
TIMED = 16
"""One submit of so many is timed."""
RECEIPTS = 20_000
JASMIN = 1_000
"""Messages a second that a comparable gateway takes on such a machine."""
SOURCE = Address("SVC", 5, 0)


async def measure(house: House) -> Report:
    """Floor and server in turn; each on the measured core, the client beside the database."""
    found: dict[str, list[float]] = defaultdict(list)
    async with house.database():
        [customer] = await some_customers(1)
        admin = system_caller(customer.organization_id, "test")
        accounts = {window: await _account(admin, window) for window in (WINDOW, SMALL_WINDOW, 1)}
        late: list[float] = []
        for number in range(house.effort.rounds):
            house.say(f"round {number + 1} of {house.effort.rounds}")
            for at_once in (WINDOW, SMALL_WINDOW, SMALL_WINDOW * BINDS):
                found[f"core.sms alone, {at_once} at once"].append(
                    await _floor(house, customer.organization_id, at_once)
                )
                await _reset()
            for name, window, binds, kind in VARIANTS:
                rate, percentile = await _rate(house, accounts[window], window, binds, kind)
                found[name].append(rate)
                if name == VARIANTS[0][0]:
                    late.append(percentile)
                await _reset()
            found[ECHO].append(await _echo(house))
            found[RECEIPTS_OUT].append(await _receipts(house, admin, accounts[WINDOW]))
            await _reset()
    rates = {name: statistics.median(of_name) for name, of_name in found.items()}
    plain = rates[VARIANTS[0][0]]
    return Report(
        "smpp_submit",
        rows=[Row(name, {"per second": rate}) for name, rate in rates.items()],
        goals=[
            Goal(
                "submit_sm against core.sms alone",
                plain / rates[f"core.sms alone, {WINDOW} at once"],
                "at least",
                0.9,
            ),
            Goal("messages per second, window 100", plain, "at least", 4 * JASMIN),
            Goal("messages per second, window 10", rates[VARIANTS[2][0]], "at least", 2_500),
            Goal("messages per second, 4 binds", rates[VARIANTS[3][0]], "at least", 4_500),
            Goal("messages per second, window 1", rates[VARIANTS[4][0]], "at least", 900),
            Goal("messages in three parts per second", rates[LONG_TEXTS], "at least", 1_500),
            Goal(
                f"p99 of an answer, window {WINDOW}, ms", statistics.median(late), "at most", 30.0
            ),
            Goal("receipts per second", rates[RECEIPTS_OUT], "at least", 5_000),
        ],
        notes=[
            "the sandbox takes the messages; an echo answers without reading or keeping anything"
        ],
    )


PLAIN, WITH_RECEIPT, IN_PARTS = "plain", "receipt wanted", "three parts"
LONG_TEXTS = f"messages in {IN_PARTS}, window {WINDOW}"
VARIANTS = (
    (f"submit_sm, window {WINDOW}", WINDOW, 1, PLAIN),
    (f"submit_sm, window {WINDOW}, receipt wanted", WINDOW, 1, WITH_RECEIPT),
    (f"submit_sm, window {SMALL_WINDOW}", SMALL_WINDOW, 1, PLAIN),
    (f"submit_sm, window {SMALL_WINDOW}, {BINDS} binds", SMALL_WINDOW, BINDS, PLAIN),
    ("submit_sm, window 1", 1, 1, PLAIN),
    (LONG_TEXTS, WINDOW, 1, IN_PARTS),
)
ECHO = f"echo of PDUs, window {SMALL_WINDOW}"
RECEIPTS_OUT = f"receipts out, one bind, window {SMALL_WINDOW}"


async def _account(admin: Caller, window: int) -> smpp.SmppCredentials:
    new = {"env": "test", "systemId": f"bench-{window}", "window": window, "maxBinds": BINDS}
    return await smpp.create_account(admin, NewSmppAccount.model_validate(new))


async def _reset() -> None:
    await db.execute(
        "TRUNCATE messages, idempotency_keys, sandbox_reports, wallet_transfers, smpp_receipts, smpp_parts, waiting_messages"
    )


async def _floor(house: House, organization_id: str, at_once: int) -> float:
    seconds = house.effort.seconds
    arguments = ("-m", "bench.floors.accept", organization_id, str(at_once), str(seconds))
    with house.program("accept", *arguments) as program:
        await program.ended(within=60 + seconds)
        said = program.said("measured")
    assert said is not None
    return float(said["rate"])


@asynccontextmanager
async def _server(house: House, *arguments: str) -> AsyncIterator[int]:
    """The port of a server on the measured core."""
    port = free_port("127.0.0.1", 0)
    changes = {"SVC_LOG_FORMAT": "json"}
    program = house.program("smpp", *arguments, "--port", str(port), changes=changes)
    with program as server:
        await server.says("smpp_started")
        yield port


async def _rate(
    house: House, account: smpp.SmppCredentials, window: int, binds: int, kind: str
) -> tuple[float, float]:
    """Messages a second, and in how many milliseconds 99 of 100 submits are answered."""
    async with _server(house, "-m", "cli", "smpp") as port:
        clients = [await _Client.bound(port, account, window) for _ in range(binds)]
        for seconds in (0.5, house.effort.seconds):
            rates = await asyncio.gather(*(one.submit(seconds, kind) for one in clients))
        for client in clients:
            client.close()
        waits = sorted(wait for client in clients for wait in client.waits)
        return sum(rates) / len(PIECES[kind]), 1000 * waits[int(0.99 * (len(waits) - 1))]


async def _echo(house: House) -> float:
    """What one connection does where nothing is read, kept or asked."""
    account = cast(smpp.SmppCredentials, {"systemId": "echo", "password": "echo"})
    async with _server(house, "-m", "bench.floors.smpp_echo") as port:
        client = await _Client.bound(port, account, SMALL_WINDOW)
        rate = await client.submit(house.effort.seconds, PLAIN)
        client.close()
        return rate


async def _receipts(house: House, admin: Caller, account: smpp.SmppCredentials) -> float:
    """Receipts a second to a client that answers each at once, until all are gone."""
    async with _server(house, "-m", "cli", "smpp") as port:
        await db.execute(WAITING, admin.organization_id, account["id"], RECEIPTS)
        client = await _Client.bound(port, account, WINDOW)
        started = time.perf_counter()
        await client.take(RECEIPTS)
        rate = RECEIPTS / (time.perf_counter() - started)
        client.close()
        return rate


WAITING = """
INSERT INTO smpp_receipts (message_id, organization_id, env, id, account_id, wanted, source, destination, created_at,
                           status, done_at, due_at)
SELECT 'msg_' || n, $1, 'test', 'msg_' || n, $2, 1, 'SVC', '5511987650005', now(), 'delivered', now(), now()
FROM generate_series(1, $3::int) AS n
"""
"""Receipts of messages that have ended."""


Pieces = tuple[bytes, bytes, bytes]


def _pieces(text: bytes, *, registered: int = 0, esm_class: int = 0) -> Pieces:
    """A submit without its sequence number and without four digits of its recipient."""
    phone = Address("5511987600005", 1, 1)
    message = ShortMessage(SOURCE, phone, text, esm_class=esm_class, registered_delivery=registered)
    body = message.write()
    digits = body.index(b"00005")
    return framed(Command.SUBMIT_SM, 0, body)[:12], body[:digits], body[digits + 4 :]


SHORT, LONG = b"Seu pedido saiu para entrega hoje", b"Seu pedido saiu para entrega. " * 15
PIECES = {
    PLAIN: [_pieces(SHORT)],
    WITH_RECEIPT: [_pieces(SHORT, registered=1)],
    IN_PARTS: [_pieces(part, esm_class=HAS_HEADER) for part in cut(LONG, 0, reference=7)],
}
"""The submits of a message. Those in parts differ by their recipient."""


class _Client:
    """One transceiver that keeps its window full."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, window: int
    ) -> None:
        self._window = window
        self._reader = reader
        self._writer = writer
        self._frames = Frames()
        self._sequence = 1
        self._timed: dict[int, float] = {}
        self.waits: list[float] = []
        """Seconds until a submit was answered, of some."""

    @classmethod
    async def bound(cls, port: int, account: smpp.SmppCredentials, window: int) -> "_Client":
        client = cls(*await asyncio.open_connection("127.0.0.1", port), window)
        bind = Bind(account["systemId"], account["password"])
        client._writer.write(framed(Command.BIND_TRANSCEIVER, 1, bind.write()))
        assert await client._answered() == 1
        return client

    async def submit(self, seconds: float, kind: str) -> float:
        """Submits a second."""
        started, done, waiting = time.perf_counter(), 0, 0
        self.waits.clear()
        while waiting or time.perf_counter() - started < seconds:
            if time.perf_counter() - started < seconds:
                self._writer.write(
                    b"".join(self._next(kind) for _ in range(self._window - waiting))
                )
                waiting = self._window
            count = await self._answered()
            waiting -= count
            done += count
        return done / (time.perf_counter() - started)

    async def take(self, receipts: int) -> None:
        """Answer so many receipts."""
        while receipts > 0:
            data = await self._reader.read(262_144)
            assert data, "the server has closed"
            arrived = [*self._frames.arrived(data)]
            answers = [framed(Command.DELIVER_SM_RESP, one.sequence, b"\0") for one in arrived]
            self._writer.write(b"".join(answers))
            receipts -= len(arrived)

    def _next(self, kind: str) -> bytes:
        """Another submit. It is put together from pieces: this client shares its core with the database."""
        self._sequence += 1
        message, part = divmod(self._sequence, len(PIECES[kind]))
        head, before, after = PIECES[kind][part]
        if self._sequence % TIMED == 0:
            self._timed[self._sequence] = time.perf_counter()
        sequence, digits = self._sequence.to_bytes(4), message % 10_000
        return b"%b%b%b%04d%b" % (head, sequence, before, digits, after)

    async def _answered(self) -> int:
        """How many answers have come, all of them good."""
        count = 0
        while not count:
            data = await self._reader.read(262_144)
            assert data, "the server has closed"
            for frame in self._frames.arrived(data):
                if frame.command == Command.DELIVER_SM:
                    self._writer.write(framed(Command.DELIVER_SM_RESP, frame.sequence, b"\0"))
                    continue
                assert frame.status == 0, frame
                count += 1
                if frame.sequence % TIMED == 0 and frame.sequence in self._timed:
                    self.waits.append(time.perf_counter() - self._timed.pop(frame.sequence))
        return count

    def close(self) -> None:
        """End the connection."""
        self._writer.close()
