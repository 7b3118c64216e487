"""The callback about e-mails: signed, in the words of mail servers or in JSON."""

from collections.abc import Iterator

import httpx
import pytest

from core.foundation import settings
from tests.core.email.conftest import relay
from tests.core.providers.test_mail_reports import ID, a_dsn, an_arf
from tests.factories.emails import a_sender, an_email, carried
from tests.fakes.gateway import SIGNATURE, FakeGateway
from tests.fakes.relay import Relay
from tests.rest_api.problem_answers import the_problem
from tests.support.mail import told
from tests.support.money import the_message

__all__ = ["relay"]


@pytest.fixture
def server(relay: Relay, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeGateway]:
    """Who shares the secret."""
    fake = FakeGateway()
    with monkeypatch.context() as patched:
        patched.setenv("SVC_SMTP_FEEDBACK_SECRET", fake.secret)
        settings.current.cache_clear()
        yield fake
    settings.current.cache_clear()


def signed(
    server: FakeGateway, raw: bytes, address: str, media: str = "message/rfc822"
) -> dict[str, str]:
    return {
        "X-Smtp-Signature": server.headers_for(raw, to=address)[SIGNATURE],
        "Content-Type": media,
    }


@pytest.mark.parametrize(
    ("report", "status", "event"),
    [
        (a_dsn("failed", "5.1.1"), "bounced", "email.bounced"),
        (a_dsn("delivered", "2.0.0"), "delivered", "email.delivered"),
        (an_arf("abuse"), "complained", "email.complained"),
    ],
    ids=["bounce", "delivery", "complaint"],
)
async def test_a_report_of_a_mail_server_moves_its_letter(
    rest: httpx.AsyncClient, server: FakeGateway, report: bytes, status: str, event: str
) -> None:
    caller = await a_sender()
    sent = await an_email(caller)
    await carried()
    raw = report.replace(ID.encode(), sent["id"].encode())
    address = f"/providers/smtp/{caller.organization_id}/feedback"

    gateways = {SIGNATURE: server.headers_for(raw, to=address)[SIGNATURE]}
    elsewhere = signed(server, raw, f"/providers/smtp/org_{'x' * 21}/feedback")
    for headers in ({}, gateways, signed(server, raw + b" ", address), elsewhere):
        the_problem(await rest.post(address, content=raw, headers=headers), 401)
    assert (await the_message(sent["id"]))["status"] == "sent"
    answer = await rest.post(address, content=raw, headers=signed(server, raw, address))

    assert (answer.status_code, answer.json()) == (200, {"received": 1})
    assert (await the_message(sent["id"]))["status"] == status
    assert [name for name, _ in await told(caller)] == [event]


async def test_a_letter_that_is_no_report_is_taken_and_means_nothing(
    rest: httpx.AsyncClient, server: FakeGateway
) -> None:
    caller = await a_sender()
    raw = b"Subject: Out of office\r\n\r\nBack on Monday."
    address = f"/providers/smtp/{caller.organization_id}/feedback"
    answer = await rest.post(address, content=raw, headers=signed(server, raw, address))
    assert (answer.status_code, answer.json()) == (200, {"received": 0})
