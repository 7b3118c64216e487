"""Binding, asking, and the end: what a client may do when, and who is let go."""

import asyncio
import re
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core import smpp
from core.foundation.database import db
from smpp_api import session as sessions
from smpp_api.session import MAX_BEFORE_BIND
from smpp_api.wire.bodies import (
    Bind,
    Body,
    CancelSm,
    Named,
    QuerySm,
    ReplaceSm,
    ShortMessage,
)
from smpp_api.wire.commands import Command, CommandStatus
from smpp_api.wire.frames import framed
from smpp_api.wire.parameters import Tag
from tests.factories.keys import an_admin
from tests.factories.smpp import an_smpp_account
from tests.smpp_api.client import PHONE, Client
from tests.smpp_api.conftest import Smsc
from tests.support.waiting import PATIENCE, eventually

BINDS = (Command.BIND_TRANSMITTER, Command.BIND_RECEIVER, Command.BIND_TRANSCEIVER)


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions, "REFUSAL_SECONDS", 0.01)
    monkeypatch.setattr(sessions, "UNBIND_SECONDS", 0.2)


@pytest.mark.parametrize("command", BINDS)
async def test_a_client_binds_asks_and_unbinds(smsc: Smsc, command: Command) -> None:
    account, client = await an_smpp_account(), await smsc.client()

    status, body = await client.ask(command, _bind(account))
    assert status is CommandStatus.ESME_ROK
    assert isinstance(body, Named)
    assert (body.name, dict(body.parameters)) == ("SVC", {Tag.SC_INTERFACE_VERSION: b"\x34"})
    assert await client.bind(account) is CommandStatus.ESME_RALYBND
    assert (await client.ask(Command.ENQUIRE_LINK))[0] is CommandStatus.ESME_ROK
    assert (await client.ask(Command.UNBIND))[0] is CommandStatus.ESME_ROK
    assert await client.has_ended()


def _bind(account: dict[str, str]) -> Bind:
    return Bind(account["systemId"], account["password"])


@pytest.mark.parametrize(
    "changes", [{"password": "wrong"}, {"system_id": "nobody"}, {"password": ""}]
)
async def test_who_is_not_let_in_is_not_told_why_and_closed(
    smsc: Smsc, changes: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    account, client = await an_smpp_account(), await smsc.client()

    assert await client.bind(account, **changes) is CommandStatus.ESME_RINVPASWD
    assert await client.has_ended()
    assert "smpp_bind_refused" in capsys.readouterr().out


async def test_an_account_has_so_many_binds_in_all_processes(smsc: Smsc) -> None:
    admin = await an_admin()
    account = await an_smpp_account(admin, maxBinds=2)
    first, second, third = [await smsc.client() for _ in range(3)]
    assert [await one.bind(account) for one in (first, second, third)] == [
        CommandStatus.ESME_ROK,
        CommandStatus.ESME_ROK,
        CommandStatus.ESME_RBINDFAIL,
    ]
    assert [
        bind["mode"] for bind in (await smpp.list_binds(admin, smpp.SmppBindFilter()))["items"]
    ] == ["transceiver"] * 2

    first.cut()

    async def is_free() -> bool:
        return len((await smpp.list_binds(admin, smpp.SmppBindFilter()))["items"]) == 1

    await eventually(is_free, "its place is free")
    assert await (await smsc.client()).bind(account) is CommandStatus.ESME_ROK


async def test_a_revoked_account_is_unbound(smsc: Smsc, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its client's answer ends the connection; nobody waits longer."""
    monkeypatch.setattr(sessions, "UNBIND_SECONDS", 3_600)
    admin = await an_admin()
    account, client = await an_smpp_account(admin), await smsc.client()
    await client.bind(account)

    await smpp.revoke_account(admin, account["id"])

    async with asyncio.timeout(PATIENCE):
        frame = await client.next()
        assert frame is not None
        assert frame.command == Command.UNBIND
        await client.write(framed(Command.UNBIND_RESP, frame.sequence))
        assert await client.has_ended()


async def test_a_stop_answers_what_is_under_way_and_unbinds(smsc: Smsc) -> None:
    account, client = await an_smpp_account(window=50), await smsc.client()
    await client.bind(account)
    asked = [
        await client.begin(Command.SUBMIT_SM, ShortMessage(destination=PHONE, text=b"Hello"))
        for _ in range(20)
    ]
    first = await client.answer(asked[0])
    assert first.status == CommandStatus.ESME_ROK

    stopping = asyncio.create_task(smsc.stop(seconds=10))
    answered = 1
    while (frame := await client.next()) is not None:
        if frame.command == Command.UNBIND:
            await client.write(framed(Command.UNBIND_RESP, frame.sequence))
        else:
            assert (frame.command, frame.status) == (Command.SUBMIT_SM_RESP, CommandStatus.ESME_ROK)
            answered += 1
    await stopping

    assert await db.fetchval("SELECT count(*) FROM messages") == answered


# What a client may not do -------------------------------------------------------------------------

REQUESTS: list[tuple[Command, Body]] = [
    (Command.SUBMIT_SM, ShortMessage(destination=PHONE, text=b"Hello")),
    (Command.QUERY_SM, QuerySm("msg_000000000000000000000")),
    (Command.CANCEL_SM, CancelSm("msg_000000000000000000000")),
    (Command.REPLACE_SM, ReplaceSm("msg_000000000000000000000")),
]


async def test_nothing_is_asked_without_a_bind_or_by_a_receiver(smsc: Smsc) -> None:
    account, stranger, receiver = await an_smpp_account(), await smsc.client(), await smsc.client()
    await receiver.bind(account, Command.BIND_RECEIVER)

    for command, body in REQUESTS:
        for client in (stranger, receiver):
            assert (await client.ask(command, body))[0] is CommandStatus.ESME_RINVBNDSTS


async def test_what_is_not_there_is_neither_told_nor_canceled_nor_replaced(smsc: Smsc) -> None:
    account, client = await an_smpp_account(), await smsc.client()
    await client.bind(account, Command.BIND_TRANSMITTER)

    assert [(await client.ask(*request))[0] for request in REQUESTS[1:]] == [
        CommandStatus.ESME_RINVMSGID,
        CommandStatus.ESME_RINVMSGID,
        CommandStatus.ESME_RINVMSGID,
    ]
    assert (await client.ask(Command.DELIVER_SM, REQUESTS[0][1]))[
        0
    ] is CommandStatus.ESME_RINVBNDSTS


async def test_commands_that_are_not_spoken_are_nacked_and_change_nothing(smsc: Smsc) -> None:
    account, client = await an_smpp_account(), await smsc.client()
    await client.bind(account)

    for command in (0x21, 0x112, 0x7FFF, Command.OUTBIND):
        await client.write(framed(command, 77, b"a\0b\0"))
        frame = await client.next()
        assert frame is not None
        assert (frame.command, frame.status, frame.sequence) == (
            Command.GENERIC_NACK,
            CommandStatus.ESME_RINVCMDID,
            77,
        )
    assert (await client.submit())[0] is CommandStatus.ESME_ROK


@pytest.mark.parametrize("octets", [b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", b"\0" * 16, b"\xff" * 64])
async def test_another_protocol_is_nacked_and_closed(smsc: Smsc, octets: bytes) -> None:
    client = await smsc.client()
    await client.write(octets)

    frame = await client.next()
    assert frame is not None
    assert (frame.command, frame.status) == (Command.GENERIC_NACK, CommandStatus.ESME_RINVCMDLEN)
    assert await client.has_ended()


async def test_requests_may_follow_their_bind_in_one_piece(smsc: Smsc) -> None:
    account, client = await an_smpp_account(), await smsc.client()
    pieces = [
        framed(Command.BIND_TRANSCEIVER, 1, _bind(account).write()),
        *(framed(*request[:1], number, request[1].write()) for number, request in enumerate(REQUESTS[:1] * 3, 2)),
        framed(Command.ENQUIRE_LINK, 5),
    ]  # fmt: skip
    await client.write(b"".join(pieces))

    found = {}
    for _ in range(5):
        frame = await client.next()
        assert frame is not None
        found[frame.sequence] = CommandStatus(frame.status)
    assert found == dict.fromkeys(range(1, 6), CommandStatus.ESME_ROK)


# Silence ------------------------------------------------------------------------------------------


async def test_who_does_not_bind_is_let_go(smsc: Smsc, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions, "BIND_SECONDS", 0.1)
    assert await (await smsc.client()).has_ended()


async def test_half_a_pdu_is_not_waited_for(smsc: Smsc, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions, "PDU_SECONDS", 0.1)
    account, client = await an_smpp_account(), await smsc.client()
    await client.bind(account)

    await client.write(framed(Command.ENQUIRE_LINK, 9)[:7])
    assert await client.has_ended()


async def test_who_is_silent_is_asked_and_unbound(
    smsc: Smsc, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sessions, "ENQUIRE_SECONDS", 0.1)
    monkeypatch.setattr(sessions, "SILENCE_SECONDS", 2.5)
    monkeypatch.setattr(sessions, "UNBIND_SECONDS", 0.1)
    account, client = await an_smpp_account(), await smsc.client()
    await client.bind(account)

    frames = [await client.next(), await client.next()]
    assert [frame and frame.command for frame in frames] == [Command.ENQUIRE_LINK, Command.UNBIND]
    assert await client.has_ended()


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.binary(max_size=80), max_size=5))
async def test_whatever_bytes_arrive_others_go_on(smsc: Smsc, pieces: list[bytes]) -> None:
    hostile = await Client.connected(smsc.port)
    for piece in pieces:
        await hostile.write(framed(4, 1, piece))
        await hostile.write(piece)
    hostile.cut()

    client = await Client.connected(smsc.port)
    assert (await client.ask(Command.ENQUIRE_LINK))[0] is CommandStatus.ESME_ROK
    client.cut()


async def test_a_bind_that_is_ended_over_rest_is_unbound(smsc: Smsc) -> None:
    admin = await an_admin()
    account = await an_smpp_account(admin)
    client = await smsc.client()
    assert await client.bind(account) is CommandStatus.ESME_ROK
    ((bind,),) = [(await smpp.list_binds(admin, smpp.SmppBindFilter()))["items"]]

    await smpp.end_bind(admin, bind["id"])

    assert await client.has_ended()
    again = await smsc.client()
    assert await again.bind(account) is CommandStatus.ESME_ROK


async def test_a_bind_whose_network_is_gone_is_unbound(smsc: Smsc) -> None:
    admin = await an_admin()
    account = await an_smpp_account(admin, ips=["127.0.0.1"])
    client = await smsc.client()
    assert await client.bind(account) is CommandStatus.ESME_ROK

    changes = smpp.SmppAccountChanges.model_validate({"ips": ["203.0.113.7"]})
    await smpp.change_account(admin, account["id"], changes)

    assert await client.has_ended()


async def test_who_says_much_before_a_bind_is_cut_off(smsc: Smsc) -> None:
    client = await smsc.client()

    with suppress(ConnectionError):
        await client.write(framed(Command.SUBMIT_SM, 1, b"x" * MAX_BEFORE_BIND))

    assert await client.has_ended()


async def test_who_reads_no_answers_is_let_go_and_others_go_on(
    smsc: Smsc, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sessions, "PDU_SECONDS", 0.5)
    account = await an_smpp_account()
    deaf, other = await smsc.client(), await smsc.client()
    assert await deaf.bind(account) is CommandStatus.ESME_ROK
    assert await other.bind(account) is CommandStatus.ESME_ROK
    asks = b"".join(framed(Command.ENQUIRE_LINK, number) for number in range(1, 20_000))

    async def floods() -> None:
        with suppress(ConnectionError):
            while True:
                await deaf.write(asks)

    flood = asyncio.create_task(floods())
    assert (await other.submit())[0] is CommandStatus.ESME_ROK
    await asyncio.wait_for(flood, PATIENCE)
    assert (await other.submit())[0] is CommandStatus.ESME_ROK


@pytest.mark.slow
async def test_ten_thousand_connections_that_say_half_a_pdu_hold_little_and_harm_no_bind(
    smsc: Smsc, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sessions, "BIND_SECONDS", 120.0)
    client = await smsc.client()
    assert await client.bind(await an_smpp_account()) is CommandStatus.ESME_ROK
    half = framed(Command.BIND_TRANSMITTER, 1, b"x" * 60_000)[:MAX_BEFORE_BIND]
    before = psutil.Process().memory_info().rss
    writers: list[asyncio.StreamWriter] = []

    for number in range(10_000):
        with suppress(ConnectionError):
            _, writer = await asyncio.open_connection("127.0.0.1", smsc.port)
            writers.append(writer)
            writer.write(half)
        if number % 1_000 == 0:
            assert (await client.submit())[0] is CommandStatus.ESME_ROK
            writers = [writer for writer in writers if not writer.transport.is_closing()]

    more = psutil.Process().memory_info().rss - before
    assert more < 300_000_000, more  # of both sides: they share this process
    assert (await client.submit())[0] is CommandStatus.ESME_ROK
    for writer in writers:
        writer.transport.abort()


def test_the_page_tells_every_status_that_is_answered() -> None:
    root = Path(__file__).parents[2]
    sources = [*(root / "smpp_api").glob("*.py"), *(root / "smpp_api" / "wire").glob("*.py")]
    used = {
        name for file in sources for name in re.findall(r"Status\.(ESME_\w+)", file.read_text())
    }
    page = (root / "docs" / "smpp.md").read_text().partition("### Every command_status")[2]
    told = dict(re.findall(r"^\| (ESME_\w+) \| (0x..) \|", page, re.MULTILINE))

    of_clients_and_centres = {"ESME_RX_T_APPN", "ESME_RQUERYFAIL"}
    assert told.keys() == used - of_clients_and_centres
    assert {name: int(code, 16) for name, code in told.items()} == {
        name: CommandStatus[name] for name in told
    }
