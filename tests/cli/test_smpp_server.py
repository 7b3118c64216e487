"""`svc smpp` as customers meet it: two clients that are not ours, TLS, and a stop amid their work."""

import asyncio
import hashlib
import json
import os
import shutil
import signal
import socket
import ssl
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
import smpp34
import smpplib.client
import smpplib.consts
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from smpp_api.wire.bodies import ShortMessage
from smpp_api.wire.commands import Command, CommandStatus
from smpp_api.wire.parameters import Tag
from smpp_api.wire.receipts import MessageState
from tests.fakes.sns_signature import a_certificate, a_key
from tests.smpp_api.client import PHONE, Client
from tests.support.books import check_messages, everything_is_settled
from tests.support.held_up import GATE, hold_back_commits, waiting_for_locks
from tests.support.processes import Process, free_port, plain_environment, svc
from tests.support.service import Service
from tests.support.waiting import eventually

SENDS = 40
NODE_PACKAGES = Path(os.environ.get("NODE_PATH", "nowhere"))
JSMPP = os.environ.get("JSMPP_CLASSPATH", "")
JAVA = """
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import org.jsmpp.bean.*;
import org.jsmpp.session.*;

public class Page {
    static final CountDownLatch told = new CountDownLatch(1);

    static class Receipts implements MessageReceiverListener {
        public void onAcceptDeliverSm(DeliverSm pdu) {
            System.out.println(new String(pdu.getShortMessage(), StandardCharsets.US_ASCII));
            told.countDown();
        }
        public void onAcceptAlertNotification(AlertNotification alert) {}
        public DataSmResult onAcceptDataSm(DataSm pdu, Session source) { return null; }
    }

    public static void main(String[] arguments) throws Exception {
%s
        System.out.println(sent.getMessageId());
        told.await();
        session.unbindAndClose();
    }
}
"""
"""What stands around the program of the page."""


@dataclass
class Smpp:
    """A server of the service, and an account that binds to it."""

    service: Service
    process: Process
    port: int
    account: dict[str, Any]


@pytest.fixture
async def smpp(service: Service) -> Smpp:
    org = service._known.organization_id
    account = await service.svc("smpp-account", "create", "client", "--org", org, "--env", "test")
    return Smpp(service, *(await service.smpp()), account)


def sent_by_smpplib(server: Smpp, context: ssl.SSLContext | None = None) -> dict[int, str]:
    """The ids of messages that smpplib sent, by its sequence numbers."""
    ids: dict[int, str] = {}

    def answered(pdu: Any) -> None:
        assert pdu.status == smpplib.consts.SMPP_ESME_ROK
        ids[pdu.sequence] = pdu.message_id.decode()

    client = smpplib.client.Client(
        "127.0.0.1", server.port, timeout=20, ssl_context=context, allow_unknown_opt_params=True
    )
    client.set_message_sent_handler(answered)
    client.connect()
    client.bind_transceiver(
        system_id=server.account["systemId"], password=server.account["password"]
    )
    for number in range(SENDS):
        client.send_message(
            source_addr="SVC",
            dest_addr_ton=smpplib.consts.SMPP_TON_INTL,
            destination_addr=f"551198765{number:04}",
            short_message=b"Seu pedido saiu",
            registered_delivery=True,
        )
    while len(ids) < SENDS:
        client.read_once()
    client.unbind()
    client.disconnect()
    return ids


async def test_smpplib_sends_through_the_service(smpp: Smpp) -> None:
    ids = await asyncio.to_thread(sent_by_smpplib, smpp)

    books = await smpp.service.books()
    rows = await books.fetch("SELECT id, coins, env FROM messages")
    assert {row["id"] for row in rows} == set(ids.values())
    assert {(row["coins"], row["env"]) for row in rows} == {(800, "test")}
    assert (await smpp.service.svc("smpp-account", "binds", "--org", smpp.service._known.organization_id))["items"] == []  # fmt: skip


async def test_smpp34_sends_through_the_service(smpp: Smpp) -> None:
    client = smpp34.Client(
        "127.0.0.1",
        smpp.port,
        smpp.account["systemId"],
        smpp.account["password"],
        window_size=SENDS,
    )
    centre = await client.connect()
    answers = await asyncio.gather(
        *(
            centre.submit_sm(
                f"551198765{n:04}", b"Seu pedido saiu", source_addr="SVC", dest_addr_ton=1
            )
            for n in range(SENDS)
        )
    )
    await client.stop()

    books = await smpp.service.books()
    rows = await books.fetch("SELECT id FROM messages")
    assert {row["id"] for row in rows} == {answer.message_id for answer in answers}


async def test_tls_by_the_certificates_of_the_settings_and_of_clients(
    service: Service, tmp_path: Path
) -> None:
    certificate = a_certificate("smsc.example", address="127.0.0.1")
    (tmp_path / "key.pem").write_bytes(pem_of(a_key()))
    (tmp_path / "cert.pem").write_bytes(certificate)
    other = rsa.generate_private_key(65537, 2048)
    shown = a_certificate("bank.example", key=other)
    (tmp_path / "bank.pem").write_bytes(pem_of(other) + shown)
    settings = {
        "SVC_SMPP_CERT": str(tmp_path / "cert.pem"),
        "SVC_SMPP_KEY": str(tmp_path / "key.pem"),
        "SVC_SMPP_CLIENT_CA": str(tmp_path / "bank.pem"),
    }
    org = service._known.organization_id
    account = await service.svc("smpp-account", "create", "client", "--org", org, "--env", "test")
    server = Smpp(service, *(await service.smpp(settings=settings)), account)
    context = ssl.create_default_context(cadata=certificate.decode())
    context.check_hostname = False  # smpplib names no host

    assert len(await asyncio.to_thread(sent_by_smpplib, server, context)) == SENDS
    with pytest.raises((OSError, ssl.SSLError)), socket.create_connection(("127.0.0.1", server.port)) as plain:  # fmt: skip
        plain.sendall(b"\0\0\0\x10\0\0\0\x15\0\0\0\0\0\0\0\1")
        plain.settimeout(10)
        if plain.recv(16)[4:8] != b"\x80\0\0\x15":
            raise ConnectionError

    # An account that names certificates is opened to who shows one of them.
    bank = await service.svc(
        *("smpp-account", "create", "bank", "--org", org, "--env", "test"),
        *("--certificate", hashlib.sha256(ssl.PEM_cert_to_DER_cert(shown.decode())).hexdigest()),
    )
    environment = service.environment | {"SVC_SMPP_PASSWORD": bank["password"]}
    asked = (
        *("smpp-account", "test", "bank", "--port", str(server.port)),
        *("--to", "+5511987650005", "--text", "x", "--tls", "--ca", str(tmp_path / "cert.pem")),
    )
    shows = ("--certificate", str(tmp_path / "bank.pem"))
    for words, status in ((shows, "ESME_ROK"), ((), "ESME_RINVPASWD")):
        assert (await tried_by(environment, *asked, *words))["bind"]["status"] == status

    # SIGHUP: a renewed certificate, once it fits its key.
    renewed_key = rsa.generate_private_key(65537, 2048)
    renewed = a_certificate("smsc.example", key=renewed_key, address="127.0.0.1")
    for name, octets, event, found in (
        ("cert.pem", renewed, "smpp_certificate_unread", certificate),
        ("key.pem", pem_of(renewed_key), "smpp_certificate_read", renewed),
    ):
        (tmp_path / name).write_bytes(octets)
        server.process.send(signal.SIGHUP)
        told = partial(server.process.logged, event)
        await eventually(told, f"{event} is told")
        now_shown = await asyncio.to_thread(
            ssl.get_server_certificate, ("127.0.0.1", server.port), timeout=20
        )
        assert now_shown.split() == found.decode().split()


def pem_of(key: rsa.RSAPrivateKey) -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )


async def test_others_than_this_machine_are_not_listened_to_without_tls(service: Service) -> None:
    status, _, err = await svc(
        ["smpp", "--host", "0.0.0.0", "--port", str(free_port())],
        environment=service.environment,
    )

    assert status != 0
    assert "SVC_SMPP_PLAIN" in err


async def test_a_server_that_is_killed_has_answered_only_what_is_written(smpp: Smpp) -> None:
    """What it had not answered the client sends again by its key: one message each, all delivered."""
    accepted: dict[str, dict[str, Any]] = {}
    worker = await smpp.service.worker()
    port = smpp.port
    for rounds in range(2):
        killed = asyncio.create_task(_killed_soon(smpp, rounds))
        while len(accepted) < 30 * (rounds + 1):
            await _send_until_cut(port, smpp.account, accepted)
            if killed.done():
                port = killed.result()
        if not killed.done():
            port = await killed
    assert worker.running
    books = await smpp.service.books()
    await everything_is_settled(books)
    await check_messages(books, accepted)


async def test_a_server_that_is_killed_while_it_commits_leaves_the_message_with_its_receipt(
    smpp: Smpp,
) -> None:
    books, gate = await smpp.service.books(), await smpp.service.rows()
    await hold_back_commits(books)
    await gate.execute("SELECT pg_advisory_lock($1)", GATE)
    client = await Client.connected(smpp.port)
    assert await client.bind(smpp.account) is CommandStatus.ESME_ROK
    message = ShortMessage(PHONE, PHONE, b"x", registered_delivery=1)
    await client.begin(Command.SUBMIT_SM, message)
    await eventually(lambda: waiting_for_locks(books), "the commit waits at the gate")
    await smpp.process.kill()
    assert await client.has_ended()
    client.cut()
    await gate.execute("SELECT pg_advisory_unlock($1)", GATE)
    await eventually(
        lambda: books.fetchval("SELECT count(*) FROM messages"), "the commit takes effect"
    )

    id = await books.fetchval("SELECT id FROM messages")
    assert await books.fetchval("SELECT array_agg(id) FROM smpp_receipts") == [id]


async def _killed_soon(smpp: Smpp, rounds: int) -> int:
    await asyncio.sleep(0.3 + 0.2 * rounds)
    await smpp.process.kill()
    smpp.process, port = await smpp.service.smpp()
    return port


async def _send_until_cut(
    port: int, account: dict[str, Any], accepted: dict[str, dict[str, Any]]
) -> None:
    """One message after the other under keys of their own, until the connection ends."""
    client: Client | None = None
    try:
        client = await Client.connected(port)
        if await client.bind(account) is not CommandStatus.ESME_ROK:
            return
        for _ in range(30):
            key = f"k-{len(accepted)}"
            status, answer = await client.submit(parameters={Tag.IDEMPOTENCY_KEY: key.encode()})
            if status is CommandStatus.ESME_ROK:
                accepted[key] = {"id": answer.name}
    except (OSError, AssertionError):
        await asyncio.sleep(0.05)
    finally:
        if client is not None:
            client.cut()


async def tried_by(environment: Mapping[str, str], *words: str) -> dict[str, Any]:
    status, told, wrong = await svc([*words, "--json"], environment=environment)
    assert status == 0, wrong
    found: dict[str, Any] = json.loads(told)
    return found


async def test_an_account_is_tried_as_a_client_would(smpp: Smpp) -> None:
    there = (smpp.account["systemId"], "--port", str(smpp.port), "--to", "+5511987650005")
    environment = smpp.service.environment | {"SVC_SMPP_PASSWORD": smpp.account["password"]}

    tried = await tried_by(environment, "smpp-account", "test", *there, "--text", "x" * 306)
    environment["SVC_SMPP_PASSWORD"] = "wrong"
    refused = await tried_by(environment, "smpp-account", "test", *there, "--text", "x")

    assert (tried["parts"], tried["segments"], tried["bind"]["status"]) == (2, 3, "ESME_ROK")
    assert [one["id"][:4] for one in tried["answers"]] == ["prt_", "msg_"]
    assert (refused["bind"]["status"], refused["answers"]) == ("ESME_RINVPASWD", [])


async def test_a_try_where_nobody_listens_says_so() -> None:
    port = str(free_port())
    words = ["smpp-account", "test", "kannel", "--port", port, "--to", "+5511987650005"]
    environment = plain_environment() | {"SVC_SMPP_PASSWORD": "secret-12"}

    status, _, wrong = await svc([*words, "--text", "x"], environment=environment)

    assert status == 1
    assert wrong.startswith(f"svc: nobody listens for SMPP at 127.0.0.1:{port}")


async def test_a_trace_shows_what_is_said_without_texts_passwords_and_whole_phones(
    smpp: Smpp,
) -> None:
    client = await Client.connected(smpp.port)
    assert await client.bind(smpp.account) is CommandStatus.ESME_ROK
    trace = Process(
        "trace",
        ["smpp-trace", smpp.account["id"], "--json"],
        environment=smpp.service.environment,
        log=smpp.service._log("trace"),
    )
    smpp.service._processes.append(trace)

    async def is_traced() -> bool:
        await client.submit(b"Secret words")
        return '"submit_sm_resp"' in trace.lines

    await eventually(is_traced, lambda: f"a submit is shown\n{trace.lines}", every=0.2)
    await trace.kill()
    client.cut()

    said = trace.lines
    assert '"destination": "1/1 +5511*****0005"' in said
    assert '"textOctets": 12' in said
    for secret in ("Secret words", smpp.account["password"], PHONE.value):
        assert secret not in said


@pytest.mark.slow
@pytest.mark.skipif(
    shutil.which("node") is None or not (NODE_PACKAGES / "smpp").exists(),
    reason="the package smpp of npm is not in NODE_PATH",
)
async def test_a_node_client_sends_with_the_program_of_the_page(smpp: Smpp, tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "smpp.md").read_text()
    (tmp_path / "client.mjs").write_text(page.partition("```js\n")[2].partition("```")[0])
    (tmp_path / "node_modules").symlink_to(NODE_PACKAGES)
    await smpp.service.worker()
    given = {
        "SMPP_PORT": str(smpp.port),
        "SMPP_SYSTEM_ID": smpp.account["systemId"],
        "SMPP_PASSWORD": smpp.account["password"],
    }

    client = await asyncio.create_subprocess_exec(
        *("node", "client.mjs"),
        cwd=tmp_path,
        env=os.environ | given,
        stdout=asyncio.subprocess.PIPE,
    )
    async with asyncio.timeout(120):
        told, _ = await client.communicate()

    books = await smpp.service.books()
    id = await books.fetchval("SELECT id FROM messages")
    delivered = MessageState.DELIVERED
    assert told.decode().splitlines() == [f"0 {id}", f"{id} {delivered}"]


@pytest.mark.slow
@pytest.mark.skipif(
    shutil.which("javac") is None or not JSMPP,
    reason="jsmpp and slf4j are not in JSMPP_CLASSPATH, or there is no JDK",
)
async def test_jsmpp_sends_with_the_program_of_the_page(smpp: Smpp, tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "smpp.md").read_text()
    printed = page.partition("```java\n")[2].partition("```")[0]
    own = f'"{smpp.account["systemId"]}", "{smpp.account["password"]}"'
    printed = printed.replace('"kannel", "…"', own).replace(" 2775,", f" {smpp.port},")
    (tmp_path / "Page.java").write_text(JAVA % printed)
    await smpp.service.worker()

    said = ""
    for words in (("javac", "Page.java"), ("java", "Page")):
        program, *rest = words
        client = await asyncio.create_subprocess_exec(
            *(program, "-cp", f"{JSMPP}:{tmp_path}", *rest),
            cwd=tmp_path,
            stdout=asyncio.subprocess.PIPE,
        )
        async with asyncio.timeout(120):
            said = (await client.communicate())[0].decode()
        assert client.returncode == 0

    books = await smpp.service.books()
    id = await books.fetchval("SELECT id FROM messages")
    receipt, first = sorted(said.splitlines())  # whichever it is told first
    assert first == id
    assert receipt.startswith(f"id:{id} sub:001 dlvrd:001 ")
    assert "stat:DELIVRD err:000" in receipt


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("bearerbox") is None, reason="Kannel is not installed")
async def test_a_kannel_sends_with_the_configuration_of_the_page(
    smpp: Smpp, tmp_path: Path
) -> None:
    page = (Path(__file__).parents[2] / "docs" / "smpp.md").read_text()
    printed = page.partition("```\ngroup = core")[2].partition("```")[0]
    ports = {name: free_port() for name in ("13000", "13001", "13013")}
    for name, port in (ports | {"2775": smpp.port}).items():
        printed = printed.replace(name, str(port))
    printed = printed.replace(
        "smsc-username = kannel", f"smsc-username = {smpp.account['systemId']}"
    )
    file = tmp_path / "kannel.conf"
    file.write_text("group = core" + printed.replace("…", smpp.account["password"]))
    asked = {
        "username": "app",
        "password": "change-me",
        "to": "+5511987650005",
        "text": "Saiu",
        "dlr-mask": "31",
    }
    await smpp.service.worker()

    boxes = [await asyncio.create_subprocess_exec("bearerbox", file)]
    try:
        await eventually(lambda: is_listened_to(ports["13001"]), "bearerbox takes smsboxes")
        boxes.append(await asyncio.create_subprocess_exec("smsbox", file))
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{ports['13013']}") as client:

            async def is_taken() -> bool:
                with suppress(httpx.TransportError):
                    return (await client.get("/cgi-bin/sendsms", params=asked)).status_code == 202
                return False

            await eventually(is_taken, "Kannel takes a message")
        books = await smpp.service.books()
        await eventually(
            lambda: books.fetchval("SELECT bool_and(status = 'delivered') FROM messages"),
            "the service has it",
        )
        await eventually(
            lambda: books.fetchval("SELECT NOT EXISTS (SELECT FROM smpp_receipts)"),
            "Kannel has its receipt",
        )
    finally:
        for box in boxes:
            with suppress(ProcessLookupError):
                box.terminate()
        await asyncio.gather(*(box.wait() for box in boxes))


async def is_listened_to(port: int) -> bool:
    try:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
    except OSError:
        return False
    writer.close()
    return True
