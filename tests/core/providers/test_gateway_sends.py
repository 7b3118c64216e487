"""What becomes of a send, for everything a gateway can do with it."""

import asyncio
import json
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from time import perf_counter

import pytest

from core.foundation.ids import new_id
from core.providers.contracts import (
    Accepted,
    Answer,
    Failed,
    Outgoing,
    OutOfCredit,
    Refused,
    SmsProvider,
    Throttled,
    Unknown,
)
from core.providers.gateway import Gateway, open_session
from tests.fakes.gateway import (
    Behaviour,
    FakeGateway,
    a_gateway,
    accepts,
    breaks,
    drops,
    hangs,
    is_out_of_credit,
    refuses,
    says,
    stalls,
    throttles,
)


@pytest.fixture
async def fake() -> AsyncIterator[FakeGateway]:
    async with a_gateway() as gateway:
        yield gateway


@pytest.fixture
async def client(fake: FakeGateway) -> AsyncIterator[SmsProvider]:
    async with open_session() as session:
        yield Gateway(fake.url, fake.secret, session, seconds=0.4)


def an_sms(**more: object) -> Outgoing:
    fields = {
        "id": new_id("msg"),
        "channel": "sms",
        "to": "+5511987654321",
        "text": "Olá",
        "content": None,
        "route": "premium",
        "sender_id": None,
    }
    return Outgoing(**(fields | more))  # type: ignore[arg-type]


async def test_an_accepted_message_has_the_gateways_reference(
    fake: FakeGateway, client: SmsProvider
) -> None:
    sms = an_sms(sender_id="Loja")
    answer = await client.send(sms)
    assert answer == Accepted(fake.taken[sms.id].reference)
    (sent,) = fake.sends
    assert json.loads(sent.body) == {
        "id": sms.id,
        "channel": "sms",
        "to": "+5511987654321",
        "text": "Olá",
        "route": "premium",
        "senderId": "Loja",
    }
    assert sent.signed
    assert sent.path == "/v1/messages"
    assert (sent.headers["Idempotency-Key"], sent.headers["Content-Type"]) == (
        sms.id,
        "application/json",
    )


async def test_a_richer_channel_sends_its_content_instead_of_a_text(
    fake: FakeGateway, client: SmsProvider
) -> None:
    card = {"card": {"title": "Oi", "description": "…"}}
    await client.send(an_sms(channel="rcs", text=None, content=card, route="easy_rcs"))
    sent = json.loads(fake.sends[0].body)
    assert (sent["channel"], sent["content"], "text" in sent) == ("rcs", card, False)


async def test_the_same_id_is_the_same_message(fake: FakeGateway, client: SmsProvider) -> None:
    sms = an_sms()
    assert await client.send(sms) == await client.send(sms)
    assert len(fake.taken) == 1


# The gateway accepted nothing ---------------------------------------------------------------------


@pytest.mark.parametrize("status", [400, 403, 404, 409, 422])
@pytest.mark.parametrize("reason", ["invalid_number", "carrier_rejected", "blacklisted"])
async def test_a_refusal_because_of_the_recipient_has_its_reason(
    fake: FakeGateway, client: SmsProvider, reason: str, status: int
) -> None:
    fake.will(refuses(reason, status=status))
    assert await client.send(an_sms()) == Refused(reason)  # type: ignore[arg-type]


@pytest.mark.parametrize("reason", ["no_rcs", "rejected", "media_error"])
async def test_a_refusal_has_the_reasons_of_its_channel(
    fake: FakeGateway, client: SmsProvider, reason: str
) -> None:
    fake.will(
        refuses(reason, status=422), refuses(reason, status=422), refuses("blacklisted", status=422)
    )
    rich = an_sms(channel="rcs", text=None, content={"text": "Hello"}, route="easy_rcs")
    assert await client.send(rich) == Refused(reason)  # type: ignore[arg-type]
    assert await client.send(an_sms()) == Failed()
    assert await client.send(rich) == Failed()


@pytest.mark.parametrize(
    "behaviour",
    [
        refuses("expired"),
        refuses("the recipient +5511987654321 is odd"),
        refuses(None),
        says(b"[]", status=400),
        says(b'{"reason": ["blacklisted"]}', status=422),
        says(b"not json", status=401),
        stalls(b'{"reason":', status=422, accepted=False),
        says(b"", status=302, headers={"Location": "/v1/messages"}),
        says(b"", status=308, headers={"Location": "/v1/messages"}),
        breaks(500),
        breaks(501),
        breaks(502),
        breaks(503),
        breaks(599),
        stalls(b"oops", status=500, accepted=False),
    ],
)
async def test_a_clear_refusal_without_a_reason_of_the_recipients_is_failed(
    fake: FakeGateway, client: SmsProvider, behaviour: Behaviour
) -> None:
    fake.will(behaviour)
    assert await client.send(an_sms()) == Failed()
    assert len(fake.sends) == 1
    assert not fake.taken


async def test_a_refusals_reason_may_be_logged_and_its_sentences_may_not(
    fake: FakeGateway, client: SmsProvider, capsys: pytest.CaptureFixture[str]
) -> None:
    fake.will(refuses("route_closed"), refuses("+5511987654321 is odd"))
    await client.send(an_sms())
    await client.send(an_sms())
    logged = "".join(capsys.readouterr())
    assert "route_closed" in logged
    assert "11987654321" not in logged


async def test_an_empty_account_is_out_of_credit(fake: FakeGateway, client: SmsProvider) -> None:
    fake.will(is_out_of_credit())
    assert await client.send(an_sms()) == OutOfCredit()


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("7", 7),
        (None, 1),
        ("0", 1),
        ("soon", 1),
        ("-3", 1),
        ("999999", 3600),
        ("9" * 40, 3600),
        ("Wed, 21 Oct 2015 07:28:00 GMT", 1),
    ],
)
async def test_throttled_says_how_many_whole_seconds_to_wait(
    fake: FakeGateway, client: SmsProvider, header: str | None, seconds: int
) -> None:
    fake.will(throttles(header))
    assert await client.send(an_sms()) == Throttled(seconds)


async def test_throttled_until_a_date_is_counted_from_now(
    fake: FakeGateway, client: SmsProvider
) -> None:
    fake.will(throttles(format_datetime(datetime.now(UTC) + timedelta(seconds=60), usegmt=True)))
    answer = await client.send(an_sms())
    assert isinstance(answer, Throttled)
    assert 55 <= answer.retry_after <= 60


# The gateway may have accepted --------------------------------------------------------------------


@pytest.mark.parametrize(
    "behaviour",
    [
        drops(),
        stalls(accepted=True),
        says(b"", accepted=True),
        says(b"ok", accepted=True),
        says(b"[]", accepted=True),
        says(b"{}", accepted=True),
        says(b'{"reference": null}', accepted=True),
        says(b'{"reference": ""}', accepted=True),
        says(b'{"reference": 17}', accepted=True),
        says(b'{"reference": "has a space"}', accepted=True),
        says(b'{"reference": "' + b"x" * 81 + b'"}', accepted=True),
        says(b'{"reference": "x\\u0000"}', accepted=True),
        says(b'{"reference": "x", "pad": "' + b"x" * 70_000 + b'"}', accepted=True),
        says(b"", status=204, accepted=True),
        says(b"<h1>Gateway Time-out</h1>", status=504, accepted=True),
    ],
)
async def test_an_unreadable_answer_leaves_the_outcome_unknown(
    fake: FakeGateway, client: SmsProvider, behaviour: Behaviour
) -> None:
    fake.will(behaviour)
    sms = an_sms()
    assert await client.send(sms) == Unknown()
    assert [sent.headers["Idempotency-Key"] for sent in fake.sends] == [sms.id]  # once, not again
    assert sms.id in fake.taken


@pytest.mark.parametrize("status", [200, 201, 202])
async def test_any_success_with_a_reference_is_an_acceptance(
    fake: FakeGateway, client: SmsProvider, status: int
) -> None:
    fake.will(says(b'{"reference": "' + b"x" * 80 + b'", "more": 1}', status=status))
    assert await client.send(an_sms()) == Accepted("x" * 80)


async def test_no_answer_in_time_leaves_the_outcome_unknown(
    fake: FakeGateway, client: SmsProvider
) -> None:
    released = asyncio.Event()
    fake.will(hangs(released, accepted=True))
    started = perf_counter()
    assert await client.send(an_sms()) == Unknown()
    assert 0.38 < perf_counter() - started < 5


async def test_a_gateway_that_hesitates_is_waited_for(
    fake: FakeGateway, client: SmsProvider
) -> None:
    released = asyncio.Event()
    fake.will(hangs(released))
    under_way = asyncio.create_task(client.send(an_sms()))
    await asyncio.sleep(0.05)
    assert not fake.taken
    released.set()
    assert isinstance(await under_way, Accepted)


async def test_sends_do_not_wait_for_each_other(fake: FakeGateway, client: SmsProvider) -> None:
    fake.will(hangs(asyncio.Event()), drops(), breaks(), accepts())
    answers: list[Answer] = await asyncio.gather(*(client.send(an_sms()) for _ in range(4)))
    assert {type(answer) for answer in answers} == {Unknown, Failed, Accepted}


async def test_cancelling_a_send_cancels_it(fake: FakeGateway, client: SmsProvider) -> None:
    fake.will(hangs(asyncio.Event()))
    under_way = asyncio.create_task(client.send(an_sms()))
    await asyncio.sleep(0.05)
    under_way.cancel()
    with pytest.raises(asyncio.CancelledError):
        await under_way
