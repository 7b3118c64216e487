"""Keywords of opt-out: a message that is exactly one of them closes its channel for who wrote it, or
opens it again.
"""

from datetime import timedelta
from typing import Any

import orjson
import pytest

from core import contacts, privacy, sms
from core.contacts import ContactDenial
from core.contacts.opt_out_keywords import LEAVING, RETURNING, folded
from core.conversations import inbound
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.errors import Forbidden, ValidationFailed
from core.foundation.security.caller import Caller, Scope
from core.foundation.validation.inputs import read_body
from core.providers import registry
from core.sms.errors import SmsRecipientOptedOut
from tests.core.contacts.conftest import strangers, without_personal_data
from tests.factories.batches import ANA, a_bulk, a_desk, messages_of
from tests.factories.contacts import a_contact, a_denial
from tests.factories.conversations_inbound import WRITER, a_message, a_notice, an_inbound, posted
from tests.factories.live import a_live_caller, a_reply
from tests.factories.numbers import a_number, an_instagram_account
from tests.factories.sms import a_send
from tests.fakes.provider import ScriptedProvider
from tests.support.graphql import bare, data_of, refused
from tests.support.sql_tables import rows_of
from tests.support.told import audited, events

PHONE = "+5511987650005"


@pytest.fixture
async def provider() -> Any:
    """Who serves live SMS during the test."""
    one = ScriptedProvider()
    registry.register(one, "sms")
    yield one
    await registry.close_providers()


async def says(caller: Caller, *texts: str) -> None:
    """The recipient of a sandbox SMS, which always leaves, answers with these texts."""
    sent = await a_send(caller, to=PHONE, route="otp")
    for text in texts:
        await sms.reply_in_sandbox(caller, sms.SandboxReply(in_reply_to=sent["id"], body=text))


async def choose(caller: Caller, saida: list[str], volta: list[str]) -> Any:
    words = read_body(contacts.OptOutWords, orjson.dumps({"saida": saida, "volta": volta}))
    return await contacts.set_opt_out_words(caller, words)


async def closed() -> list[str]:
    return [denial.channel for denial in await rows_of(ContactDenial).order_by("channel")]


# What is a word -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        *LEAVING,
        "sair",
        " Sair! ",
        "S A I R",
        "sáir",
        "*PARE*",
        "“stop”.",
        "\uff33\uff34\uff2f\uff30",
        "Parar…",
    ],
)
async def test_a_reply_that_is_a_word_closes_sms(caller: Caller, text: str) -> None:
    await says(caller, text)
    assert await closed() == ["sms"]
    with pytest.raises(SmsRecipientOptedOut):
        await a_send(caller, to=PHONE)
    assert (await a_send(caller, to=PHONE, route="otp"))["status"] == "sent"


@pytest.mark.parametrize(
    "text", ["SIM", "quero sair", "SAIRR", "não pare", "STOP STOP", "…", "", "SAIR " + "é" * 200]
)
async def test_a_text_that_is_not_exactly_one_closes_nothing(caller: Caller, text: str) -> None:
    await says(caller, text or "!")
    assert await closed() == []


def test_what_is_compared_has_neither_case_nor_accents_nor_signs() -> None:
    assert folded(" Não, quero! ") == folded("NAO QUERO") == "naoquero"
    assert folded("— … !") == ""


# What follows -------------------------------------------------------------------------------------


async def test_the_contact_who_wrote_is_denied_and_subscribers_are_told(caller: Caller) -> None:
    contact = await a_contact(caller, phone=PHONE)
    await says(caller, "sair")
    (opt_out,) = (await contacts.get_contact(caller, contact["id"]))["optOuts"]
    assert (opt_out["canal"], opt_out["motivo"], opt_out["origem"]) == ("sms", "SAIR", "resposta")
    (event,) = await events(caller.organization_id, "contact.opted_out")
    assert {name: event["data"][name] for name in ("id", "phone", "channel", "reason", "source", "env")} == {
        "id": contact["id"], "phone": PHONE, "channel": "sms", "reason": "SAIR", "source": "resposta", "env": "test",
    }  # fmt: skip
    (entry,) = await audited(caller.organization_id, "contact.consent_changed")
    assert (entry["facts"]["to"], entry["facts"]["canal"]) == ("denied", "sms")


async def test_the_phone_that_wrote_is_closed_and_not_whom_the_message_named(
    caller: Caller,
) -> None:
    named = await a_contact(caller)
    sent = await a_send(caller, to=PHONE, contactId=named["id"])
    await sms.reply_in_sandbox(caller, sms.SandboxReply(in_reply_to=sent["id"], body="SAIR"))
    assert (await contacts.get_contact(caller, named["id"]))["optOuts"] == []
    with pytest.raises(SmsRecipientOptedOut):
        await a_send(caller, to=PHONE)


async def test_who_comes_back_is_written_to_again(caller: Caller) -> None:
    contact = await a_contact(caller, phone=PHONE)
    await says(caller, "SAIR", "Voltar!")
    assert await closed() == []
    assert (await a_send(caller, to=PHONE, contactId=contact["id"]))["status"] == "sent"
    statuses = [
        one["facts"]["to"]
        for one in await audited(caller.organization_id, "contact.consent_changed")
    ]
    assert sorted(statuses) == ["denied", "granted"]


async def test_a_stranger_leaves_and_comes_back_too(caller: Caller) -> None:
    await says(caller, "STOP")
    assert await closed() == ["sms"]
    assert await events(caller.organization_id, "contact.opted_out") == []
    await says(caller, "START")
    assert await closed() == []


async def test_who_closed_all_channels_is_not_opened_by_a_word(caller: Caller) -> None:
    await a_denial(caller, PHONE)
    await says(caller, "VOLTAR", "SAIR")
    assert await closed() == ["todos"]


async def test_nothing_is_answered(caller: Caller) -> None:
    await says(caller, "SAIR")
    assert await db.fetchval("SELECT count(*) FROM messages WHERE direction = 'outbound'") == 1


async def test_another_organization_and_the_other_environment_still_write(caller: Caller) -> None:
    others = await strangers(caller)
    await says(caller, "SAIR")
    rows = await rows_of(ContactDenial)
    assert {(row.organization_id, row.env) for row in rows} == {
        (caller.organization_id, caller.env)
    }
    assert others


# The ways in --------------------------------------------------------------------------------------


async def test_a_live_reply_counts_once_however_often_it_is_told(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller()
    contact = await a_contact(caller, phone=PHONE)
    sent = await a_send(caller, to=PHONE)
    reply = a_reply(sent["id"], "SAIR")
    await sms.receive_replies(caller.organization_id, "gateway", [reply, reply], at=now())
    await sms.receive_replies(caller.organization_id, "gateway", [reply], at=now())
    (opt_out,) = (await contacts.get_contact(caller, contact["id"]))["optOuts"]
    assert opt_out["canal"] == "sms"
    assert len(await events(caller.organization_id, "contact.opted_out")) == 1
    await contacts.opt_in(
        caller,
        read_body(
            contacts.ChannelOptIn,
            orjson.dumps(
                {"phones": [PHONE], "canal": "sms", "fonte": "loja", "em": now().isoformat()}
            ),
        ),
    )
    await sms.receive_replies(caller.organization_id, "gateway", [reply], at=now())
    assert await closed() == [], "a reply that is told again closes nothing anew"


async def test_of_several_wishes_the_last_one_counts(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller()
    sent, at = await a_send(caller, to=PHONE), now()
    told = [
        a_reply(sent["id"], text, received_at=at - timedelta(minutes=minutes))
        for text, minutes in (("VOLTAR", 1), ("SAIR", 2))
    ]
    await sms.receive_replies(caller.organization_id, "gateway", told, at=at)
    assert await closed() == []
    later = [
        a_reply(sent["id"], text, received_at=at - timedelta(seconds=seconds))
        for text, seconds in (("SAIR", 10), ("VOLTAR", 20))
    ]
    await sms.receive_replies(caller.organization_id, "gateway", later, at=at)
    assert await closed() == ["sms"]


async def test_a_reply_whose_message_was_not_known_yet_counts_when_it_is(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller()
    sent = await a_send(caller, to=PHONE)
    await db.execute("UPDATE messages SET provider_reference = NULL WHERE id = $1", sent["id"])
    reply = a_reply(None, "SAIR", reference="gw_late")
    await sms.receive_replies(caller.organization_id, "gateway", [reply], at=now())
    assert await closed() == []
    await db.execute("UPDATE messages SET provider_reference = 'gw_late' WHERE id = $1", sent["id"])
    assert await sms.retry_unmatched(at=now() + timedelta(hours=1)) == 1
    assert await closed() == ["sms"]


async def test_the_phone_without_its_ninth_digit_is_the_same_person(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller()
    contact = await a_contact(caller, phone=PHONE)
    sent = await a_send(caller, to=PHONE)
    reply = a_reply(sent["id"], "SAIR", sender="+551187650005")
    await sms.receive_replies(caller.organization_id, "gateway", [reply], at=now())
    assert [
        one["canal"] for one in (await contacts.get_contact(caller, contact["id"]))["optOuts"]
    ] == ["sms"]


@pytest.mark.parametrize(
    "said",
    [
        {"payload": {"text": "Sair."}},
        {"type": "interactive", "payload": {"kind": "button", "text": "PARAR", "payload": "x"}},
        {"type": "interactive", "payload": {"kind": "button_reply", "id": "1", "title": "Parar"}},
    ],
)
async def test_what_comes_over_whatsapp_closes_whatsapp(
    caller: Caller, said: dict[str, Any]
) -> None:
    number = await a_number(caller)
    record = await an_inbound(caller, number, **said)
    read = await contacts.get_contact(caller, record["contactId"])
    assert [(one["canal"], one["origem"]) for one in read["optOuts"]] == [("whatsapp", "resposta")]
    assert read["optIn"]["status"] == "unknown"
    await an_inbound(caller, number, payload={"text": "start"})
    assert await closed() == []


async def test_a_caption_or_another_kind_of_message_is_no_word(caller: Caller) -> None:
    number = await a_number(caller)
    await an_inbound(
        caller,
        number,
        type="media",
        payload={"kind": "image", "media": {"id": "1", "caption": "SAIR"}},
    )
    await an_inbound(caller, number, type="interactive", payload={"kind": "list_reply", "title": 7})
    assert await closed() == []


async def test_what_the_platform_tells_closes_once_although_its_notice_is_applied_twice(
    clean_slate: None,
) -> None:
    caller = await a_live_caller()
    number = await a_number(caller)
    for _ in range(2):
        await posted(a_notice(number, messages=[a_message("wamid.1", "SAIR")]))
        await inbound.apply_due_notices(at=now())
    assert await closed() == ["whatsapp"]
    assert len(await events(caller.organization_id, "contact.opted_out")) == 1


async def test_advertising_that_waits_for_who_leaves_is_not_sent(caller: Caller) -> None:
    desk = await a_desk(caller)
    await a_contact(caller, phone=ANA)
    (row,) = await messages_of((await a_bulk(desk, ANA))["batchId"])
    await an_inbound(caller, await a_number(caller), **{"from": ANA, "payload": {"text": "sair"}})
    assert await db.fetchval("SELECT reason FROM messages WHERE id = $1", row["id"]) == "opt_out"


async def test_who_leaves_on_instagram_is_kept_by_the_address(caller: Caller) -> None:
    account = await an_instagram_account(caller)
    said = {
        "instagramAccountId": account.id,
        "numberId": None,
        "from": "17841400000000042",
        "type": "text",
    }
    await inbound.receive_in_sandbox(
        caller, read_body(inbound.NewInbound, orjson.dumps({**said, "payload": {"text": "SAIR"}}))
    )
    assert await closed() == ["instagram"]
    assert "17841400000000042" not in str(
        [dict(row) for row in await db.fetch("SELECT * FROM contact_denials")]
    )


async def test_it_outlives_the_contact(caller: Caller) -> None:
    contact = await a_contact(caller, phone=WRITER)
    await an_inbound(caller, await a_number(caller), payload={"text": "SAIR"})
    await privacy.erase_contact(caller, contact["id"])
    assert await closed() == ["whatsapp"]


# The setting --------------------------------------------------------------------------------------


async def test_the_words_are_the_organizations_in_one_environment(caller: Caller) -> None:
    assert await contacts.get_opt_out_words(caller) == {
        "saida": list(LEAVING),
        "volta": list(RETURNING),
    }
    chosen = {"saida": ["Não quero", "TCHAU"], "volta": []}
    assert await choose(caller, **chosen) == chosen == await contacts.get_opt_out_words(caller)
    for stranger in await strangers(caller):
        assert (await contacts.get_opt_out_words(stranger))["saida"] == list(LEAVING)
    await says(caller, "SAIR")
    assert await closed() == []
    await says(caller, "nao quero!")
    assert await closed() == ["sms"]
    await says(caller, "VOLTAR")
    assert await closed() == ["sms"]
    assert (await audited(caller.organization_id, "opt_out_words.changed"))[0]["facts"] == {
        "saida": 2,
        "volta": 0,
    }


async def test_there_may_be_none(caller: Caller) -> None:
    await choose(caller, [], [])
    await says(caller, *LEAVING)
    assert await closed() == []


@pytest.mark.parametrize(
    ("body", "where", "code"),
    [
        ({"saida": ["SAIR"]}, "/volta", "required"),
        ({"saida": ["…"], "volta": []}, "/saida/0", "wrong_format"),
        ({"saida": ["x" * 41], "volta": []}, "/saida/0", "too_long"),
        ({"saida": [f"w{n}" for n in range(51)], "volta": []}, "/saida", "too_many"),
        ({"saida": ["Sair"], "volta": ["sair!"]}, "", "repeated"),
    ],
)
async def test_words_that_make_no_sense_are_refused(
    body: dict[str, Any], where: str, code: str
) -> None:
    with pytest.raises(ValidationFailed) as wrong:
        read_body(contacts.OptOutWords, orjson.dumps(body))
    assert [(error.where, error.code) for error in wrong.value.errors] == [(where, code)]


async def test_graphql_reads_and_sets_them(caller: Caller) -> None:
    change = 'mutation { replaceOptOutWords(input: {saida: ["FIM"], volta: []}) { saida volta } }'
    assert await data_of(caller, change) == {"replaceOptOutWords": {"saida": ["FIM"], "volta": []}}
    assert await data_of(caller, "{ optOutWords { saida volta } }") == {
        "optOutWords": {"saida": ["FIM"], "volta": []}
    }
    assert (await refused(bare(caller, Scope.SMS_READ), "{ optOutWords { saida } }"))["extensions"][
        "code"
    ] == "FORBIDDEN"


async def test_they_need_their_scopes(caller: Caller) -> None:
    with pytest.raises(Forbidden):
        await contacts.get_opt_out_words(bare(caller, Scope.SMS_READ))
    with pytest.raises(Forbidden):
        await choose(bare(caller, Scope.CONTACTS_READ), [], [])
    assert await contacts.get_opt_out_words(without_personal_data(caller))
