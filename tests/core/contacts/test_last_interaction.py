"""Noting that contacts wrote."""

from datetime import UTC, datetime, timedelta
from typing import Any

from core import contacts, sms
from core.contacts import Contact, Interaction
from core.foundation.clock import now
from core.foundation.security.caller import Caller
from tests.core.contacts.conftest import strangers
from tests.factories.contacts import a_contact, a_phone
from tests.factories.sms import a_send

AT = datetime(2026, 1, 20, 12, 0, tzinfo=UTC)
LATER = AT + timedelta(hours=1)


async def wrote(caller: Caller, *interactions: Interaction) -> dict[str, str]:
    return dict(
        await contacts.record_interactions(
            caller.organization_id, caller.env, interactions, at=now()
        )
    )


async def read(caller: Caller, made: dict[str, Any]) -> Any:
    return await contacts.get_contact(caller, made["id"])


async def test_the_last_interaction_and_the_profile_name_are_kept(caller: Caller) -> None:
    made = await a_contact(caller, name="Ana Souza")

    assert await wrote(caller, Interaction(made["phone"], AT, "Aninha")) == {
        made["phone"]: made["id"]
    }

    after = await read(caller, made)
    assert (after["lastInteractionAt"], after["whatsappProfileName"]) == (
        "2026-01-20T12:00:00.000Z",
        "Aninha",
    )
    assert after["name"] == "Ana Souza"
    assert after["updatedAt"] > made["updatedAt"]


async def test_the_profile_name_is_not_the_name(caller: Caller) -> None:
    made = await a_contact(caller)

    await wrote(caller, Interaction(made["phone"], AT, "Aninha"))

    assert "name" not in await read(caller, made)


async def test_the_later_of_two_counts_in_whatever_order_they_come(caller: Caller) -> None:
    one, other = await a_contact(caller), await a_contact(caller)
    at_once, apart = (
        [Interaction(made["phone"], LATER, "New"), Interaction(made["phone"], AT, "Old")]
        for made in (one, other)
    )

    await wrote(caller, *at_once)
    for interaction in apart:
        await wrote(caller, interaction)

    for made in (one, other):
        after = await read(caller, made)
        assert (after["lastInteractionAt"], after["whatsappProfileName"]) == (
            "2026-01-20T13:00:00.000Z",
            "New",
        )


async def test_a_channel_without_names_keeps_the_name_that_is_known(caller: Caller) -> None:
    made = await a_contact(caller)

    await wrote(caller, Interaction(made["phone"], AT, "Aninha"))
    await wrote(caller, Interaction(made["phone"], LATER))

    assert (await read(caller, made))["whatsappProfileName"] == "Aninha"


async def test_the_same_again_changes_nothing_not_even_the_time(caller: Caller) -> None:
    made = await a_contact(caller)
    await wrote(caller, Interaction(made["phone"], AT, "Aninha"))
    before = await read(caller, made)

    assert await wrote(caller, Interaction(made["phone"], AT, "Aninha")) == {
        made["phone"]: made["id"]
    }

    assert await read(caller, made) == before


async def test_both_forms_of_a_mobile_are_one_contact(caller: Caller) -> None:
    made = await a_contact(caller, phone="+5511987654321")

    answered = await wrote(
        caller, Interaction("+551187654321", LATER), Interaction("+5511987654321", AT)
    )

    assert answered == {"+551187654321": made["id"], "+5511987654321": made["id"]}
    assert (await read(caller, made))["lastInteractionAt"] == "2026-01-20T13:00:00.000Z"


async def test_who_is_nobody_stays_nobody(caller: Caller) -> None:
    assert await wrote(caller, Interaction(a_phone(), AT)) == {}
    assert await wrote(caller) == {}
    assert await Contact.all().count() == 0


async def test_contacts_of_others_are_left_alone(caller: Caller) -> None:
    phone = a_phone()
    for stranger in await strangers(caller):
        await a_contact(stranger, phone=phone)

    assert await wrote(caller, Interaction(phone, AT)) == {}
    assert await Contact.filter(last_interaction_at__isnull=False).count() == 0


async def test_a_long_profile_name_is_cut(caller: Caller) -> None:
    made = await a_contact(caller)

    await wrote(caller, Interaction(made["phone"], AT, "x" * 300))

    assert (await read(caller, made))["whatsappProfileName"] == "x" * 200


async def test_a_reply_by_sms_is_an_interaction_and_no_denial(caller: Caller) -> None:
    made = await a_contact(caller)
    sent = await a_send(caller, to=made["phone"])

    reply = await sms.reply_in_sandbox(
        caller, sms.SandboxReply(in_reply_to=sent["id"], body="SAIR")
    )

    after = await read(caller, made)
    assert after["lastInteractionAt"] == reply["receivedAt"]
    assert after["optIn"] == {"status": "unknown"}
