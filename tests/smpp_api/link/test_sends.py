"""Messages to operators: each id leaves once, within the window and the pace, by the first that takes it."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
import smpp34

from core.foundation.settings import SettingsError
from core.providers.contracts import (
    Accepted,
    Failed,
    LookupFailed,
    MessageFound,
    MessageNotFound,
    OutOfCredit,
    Refused,
    Throttled,
    Unknown,
)
from smpp_api.link import gateway as gateways
from smpp_api.link import operator_bind
from smpp_api.link.links_file import read_links
from smpp_api.link.pace import Pace
from tests.fakes.smsc import (
    RINVDSTADR,
    RSYSERR,
    RTHROTTLED,
    FakeSmsc,
    accepts,
    an_smsc,
    drops,
    holds,
    refuses,
)
from tests.smpp_api.link.conftest import PHONE, LinkHouse, outgoing
from tests.support.processes import free_port
from tests.support.waiting import eventually

LONG = "Uma mensagem longa, com muitas letras. " * 10


async def test_an_id_leaves_once_and_is_answered_the_same_again(
    house: LinkHouse, smsc: FakeSmsc
) -> None:
    message, until = outgoing(sender_id="Loja"), asyncio.Event()
    smsc.will(holds(until))
    async with house.linked(house.settings(smsc)) as gateway:
        both = [asyncio.create_task(gateway.send(message)) for _ in range(2)]
        await eventually(lambda: smsc.taken, "it left")
        until.set()
        answers = [*await asyncio.gather(*both), await gateway.send(message)]
    async with house.linked(house.settings(smsc, name="operator-1")) as gateway:  # another process
        answers.append(await gateway.send(message))
        found = await gateway.look_up(message.id)
        unknown = await gateway.look_up("msg_v0486I4sb9qvmbeLF0zLs")

    assert answers == [Accepted("1")] * 4
    assert (found, unknown) == (MessageFound("1", "sent", None, None), MessageNotFound())
    (submit,) = smsc.taken
    assert (submit.source, submit.source_ton, submit.destination) == ("Loja", 5, PHONE[1:])
    assert (submit.text, submit.data_coding) == (b"Ola!", 0)


@pytest.mark.parametrize(
    ("status", "answer"),
    [
        (RINVDSTADR, Refused("invalid_number")),
        (RSYSERR, Failed()),
        (0x400, OutOfCredit()),
        (0x401, Refused("blacklisted")),
    ],
)
async def test_what_an_operator_answers_means(
    house: LinkHouse, smsc: FakeSmsc, status: int, answer: Any
) -> None:
    message = outgoing()
    smsc.will(refuses(status))
    own = {"0x400": "out_of_credit", "0x401": "blacklisted"}
    async with house.linked(house.settings(smsc, statuses=own)) as gateway:
        assert await gateway.send(message) == answer
        # What was not taken may come again as a first one; what was refused is refused again.
        again = answer if isinstance(answer, Refused) else Accepted("2")
        assert await gateway.send(message) == again


async def test_an_unknown_outcome_never_leaves_again(house: LinkHouse, smsc: FakeSmsc) -> None:
    message, other = outgoing(), outgoing()
    smsc.will(drops())
    async with house.linked(house.settings(smsc)) as gateway:
        assert await gateway.send(message) == Unknown()
        assert await gateway.send(message) == Unknown()
        assert await gateway.look_up(message.id) == LookupFailed()
        await eventually(lambda: smsc.lines, "it is bound again")

        async def goes_on() -> bool:
            return isinstance(await gateway.send(other), Accepted)

        await eventually(goes_on, "others go on")

    assert len(smsc.taken) == 2


async def test_an_answer_that_does_not_come_is_an_unknown_outcome(
    house: LinkHouse, smsc: FakeSmsc, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(operator_bind, "ANSWER_SECONDS", 0.2)
    smsc.will(holds(asyncio.Event()))
    async with house.linked(house.settings(smsc)) as gateway:
        assert await gateway.send(outgoing()) == Unknown()


async def test_a_second_operator_is_asked_after_a_clear_refusal_alone(
    house: LinkHouse, smsc: FakeSmsc
) -> None:
    async with an_smsc() as second:
        links = house.settings(smsc), house.settings(second)
        async with house.linked(*links) as gateway:
            smsc.will(refuses(RSYSERR), refuses(RINVDSTADR), drops())
            assert await gateway.send(outgoing()) == Accepted("1")
            assert await gateway.send(outgoing()) == Refused("invalid_number")
            assert await gateway.send(outgoing()) == Unknown()
        assert (len(second.taken), smsc.seen) == (1, 3)


async def test_who_lets_nobody_in_takes_nothing(house: LinkHouse, smsc: FakeSmsc) -> None:
    settings = house.settings(smsc, password="wrong")
    async with house.linked(settings, is_open=False) as gateway:
        assert await gateway.send(outgoing()) == Failed()
    assert smsc.seen == 0


async def test_windows_of_all_binds_are_kept_and_used(house: LinkHouse, smsc: FakeSmsc) -> None:
    until = asyncio.Event()
    smsc.always = holds(until)
    async with house.linked(house.settings(smsc, bind="pair", binds=2, window=3)) as gateway:
        await eventually(lambda: len(smsc.lines) == 4, "all are there")
        sends = [asyncio.create_task(gateway.send(outgoing())) for _ in range(20)]
        await eventually(lambda: smsc.seen == 6, "the windows are full")
        until.set()
        assert {type(answer) for answer in await asyncio.gather(*sends)} == {Accepted}

    assert (smsc.seen, smsc.most) == (20, 6)


async def test_an_operator_that_is_full_is_asked_slower_and_in_the_end_the_service_told(
    house: LinkHouse, smsc: FakeSmsc, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with house.linked(house.settings(smsc, rate=50)) as gateway:
        smsc.will(refuses(RTHROTTLED), refuses(RTHROTTLED))
        assert isinstance(await gateway.send(outgoing()), Accepted)
        monkeypatch.setattr(gateways, "START_SECONDS", 0.2)
        smsc.always = refuses(RTHROTTLED)
        message = outgoing()
        assert await gateway.send(message) == Throttled(1)
        smsc.always = accepts()
        monkeypatch.undo()
        assert isinstance(await gateway.send(message), Accepted)


def test_the_file_of_the_page_is_read_and_what_is_wrong_is_named_without_its_value(
    tmp_path: Path,
) -> None:
    page = (Path(__file__).parents[3] / "docs" / "smpp.md").read_text()
    file = tmp_path / "operators.toml"
    file.write_text(page.partition("```toml\n")[2].partition("```")[0])
    (link,) = read_links(file)
    assert (link.name, link.window, link.rate, link.tls) == ("operator-a", 20, 100, True)

    file.write_text(file.read_text() + 'receipt_id = "("\nreceipt_zone = "Moon"\nbinds = 0\n')
    with pytest.raises(SettingsError) as refused:
        read_links(file)
    told = str(refused.value)
    assert all(name in told for name in ("receipt_id", "receipt_zone", "binds"))
    assert "Moon" not in told
    with pytest.raises(SettingsError, match="FileNotFoundError"):
        read_links(tmp_path / "none.toml")


def test_a_pace_halves_and_grows() -> None:
    at = 0.0
    pace = Pace(100, clock=lambda: at)
    turns = [pace.turn(before=10) for _ in range(100)]
    assert turns[1] == pytest.approx(0.01)
    assert pace.turn(before=0.5) is None

    pace.slow_down()
    pace.slow_down()  # of what left before it was told
    assert pace.rate == 50
    at = 2.0
    assert pace.rate == pytest.approx(60.5)
    at = 60.0
    assert pace.rate == 100


@pytest.mark.parametrize("long_texts", ["udh", "sar", "payload"])
async def test_a_long_text_leaves_in_parts(
    house: LinkHouse, smsc: FakeSmsc, long_texts: str
) -> None:
    async with house.linked(house.settings(smsc, long_texts=long_texts)) as gateway:
        assert await gateway.send(outgoing(LONG)) == Accepted("1")

    if long_texts == "payload":
        (submit,) = smsc.taken
        assert submit.parameters[0x0424] == LONG.encode()
        return
    assert [submit.id for submit in smsc.taken] == ["1", "2", "3"]
    skipped = 6 if long_texts == "udh" else 0
    assert b"".join(submit.text[skipped:] for submit in smsc.taken) == LONG.encode()
    if long_texts == "udh":
        assert [submit.text[3:6] for submit in smsc.taken] == [
            bytes((smsc.taken[0].text[3], 3, number)) for number in (1, 2, 3)
        ]
        assert {submit.esm_class for submit in smsc.taken} == {0x40}
    else:
        assert [submit.parameters[0x020F] for submit in smsc.taken] == [b"\1", b"\2", b"\3"]


async def test_an_smsc_that_is_not_ours_reads_what_it_is_sent(house: LinkHouse) -> None:
    port = free_port()
    server = smpp34.Server("127.0.0.1", port)
    await server.start()
    smsc = FakeSmsc(port=port)
    async with house.linked(house.settings(smsc), is_open=False) as gateway:
        assert isinstance(await server.next(), smpp34.Esme)
        answer = asyncio.create_task(gateway.send(outgoing("Olá, ação!", sender_id="12345")))
        event = await server.next()
        assert isinstance(event, smpp34.SubmitSmEvent)
        event.accept("an-id")
        assert await answer == Accepted("an-id")
    await server.stop()

    assert (event.destination_addr, event.source_addr) == (PHONE[1:], "12345")
    # á and ã are not in the default alphabet.
    assert (event.data_coding, event.short_message.decode("utf-16-be")) == (8, "Olá, ação!")
