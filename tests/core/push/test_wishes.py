"""What a denial and an erasure do to devices and to what is under way."""

from datetime import timedelta

import pytest

from core import contacts, privacy, push
from core.audit import AuditEntry
from core.decisions.models import RefusedSend
from core.foundation.clock import now
from core.foundation.database import db
from core.push.models import PushDevice
from core.wallet import Wallet
from tests.factories.contacts import a_contact
from tests.factories.organizations import a_caller
from tests.factories.push import a_device, a_dispatch, drained, queue_of

pytestmark = pytest.mark.usefixtures("clean_slate")


@pytest.mark.parametrize(
    ("channel", "status"), [("push", "dropped"), ("todos", "dropped"), ("sms", "delivered")]
)
async def test_a_denial_takes_the_person_out_of_what_is_under_way(
    channel: str, status: str
) -> None:
    caller = await a_caller()
    contact = await a_contact(caller, externalId="c-1")
    device = await a_device(caller, externalId="c-1")
    other = await a_device(caller)
    created = await a_dispatch(caller)
    await push.start_due(at=now())

    wish = contacts.OptOut.model_validate({"contactIds": [contact["id"]], "canal": channel})
    await contacts.opt_out(caller, wish)
    done = await drained(caller, created["id"])

    assert await queue_of(created["id"]) == {
        device["id"]: (status, None),
        other["id"]: ("delivered", None),
    }
    assert done["status"] == "sent"
    row = await Wallet.get(organization_id=caller.organization_id, env="test")
    assert (row.held, row.revenue) == (0, 20 * done["metrics"]["delivered"])


PHONE = "+5511987654321"


@pytest.mark.parametrize(
    ("device", "is_contact", "named"),
    [
        ({"externalId": "c-1"}, True, {"externalIds": ["c-1"]}),
        ({"userPhone": PHONE}, True, {"externalIds": ["c-1"]}),
        ({"userPhone": PHONE}, False, {"phones": [PHONE]}),
    ],
    ids=["by the external id", "by the phone", "by the phone of nobody"],
)
async def test_a_denial_holds_for_devices_that_came_before_their_contact(
    device: dict[str, str], is_contact: bool, named: dict[str, list[str]]
) -> None:
    caller = await a_caller()
    theirs = await a_device(caller, **device)
    other = await a_device(caller, userPhone="+5511987654322", externalId="c-2")
    if is_contact:
        await a_contact(caller, externalId="c-1", phone=PHONE)
    assert (await PushDevice.get(id=theirs["id"])).contact_id is None
    under_way = await a_dispatch(caller)
    await push.start_due(at=now())
    waits = await a_dispatch(caller, scheduledAt=(now() + timedelta(minutes=5)).isoformat())

    await contacts.opt_out(caller, contacts.OptOut.model_validate({**named, "canal": "push"}))

    both = {theirs["id"]: ("dropped", None), other["id"]: ("delivered", None)}
    await drained(caller, under_way["id"])
    assert await queue_of(under_way["id"]) == both
    await push.start_due(at=now() + timedelta(minutes=5))
    await drained(caller, waits["id"])
    assert await queue_of(waits["id"]) == both
    later = (await a_dispatch(caller))["id"]
    assert await queue_of(later) == {other["id"]: ("queued", None)}
    assert await RefusedSend.filter(part_of=later).count() == 1


async def test_a_denial_under_the_phone_of_its_user_counts_beside_that_of_the_contact() -> None:
    caller = await a_caller()
    contact = await a_contact(caller)
    await a_device(caller, "t1", contactId=contact["id"], userPhone=PHONE)
    wish = contacts.OptOut.model_validate({"phones": [PHONE], "canal": "push"})

    await contacts.opt_out(caller, wish)
    denied = await a_dispatch(caller)
    await contacts.opt_in(
        caller,
        contacts.ChannelOptIn.model_validate(
            {"phones": [PHONE], "canal": "push", "fonte": "app", "em": now().isoformat()}
        ),
    )

    assert denied["metrics"]["reach"] == 0
    assert (await a_dispatch(caller))["metrics"]["reach"] == 1


async def test_a_denial_that_takes_out_the_last_device_ends_the_dispatch() -> None:
    caller = await a_caller()
    contact = await a_contact(caller, externalId="c-1")
    await a_device(caller, externalId="c-1")
    created = await a_dispatch(caller)
    await push.start_due(at=now())

    await contacts.opt_out(caller, contacts.OptOut.model_validate({"contactIds": [contact["id"]]}))

    done = await push.get_push(caller, created["id"])
    assert (done["status"], done["billing"]["reservedCoins"]) == ("failed", 0)


async def test_an_erasure_removes_the_devices_and_keeps_what_was_counted() -> None:
    caller = await a_caller()
    contact = await a_contact(caller, externalId="c-1")
    await a_device(caller, "t1", externalId="c-1", userName="Ana")
    await a_device(caller, "t2")
    sent = await a_dispatch(caller)
    await drained(caller, sent["id"])
    waiting = await a_dispatch(caller)

    await privacy.erase_contact(caller, contact["id"])

    assert [device.token for device in await PushDevice.all()] == ["t2"]
    assert (await push.get_push(caller, sent["id"]))["metrics"]["delivered"] == 2
    done = await drained(caller, waiting["id"])
    assert (done["status"], done["metrics"]["delivered"], done["billing"]["reservedCoins"]) == (
        "sent",
        1,
        0,
    )
    entry = await AuditEntry.get(action="contact.deleted")
    assert entry.facts["devices"] == 1


async def test_an_erasure_in_the_midst_of_a_dispatch_lets_it_end() -> None:
    caller = await a_caller()
    contact = await a_contact(caller, externalId="c-1")
    await a_device(caller, externalId="c-1")
    created = await a_dispatch(caller)
    await push.start_due(at=now())

    await privacy.erase_contact(caller, contact["id"])
    done = await drained(caller, created["id"])

    assert (done["status"], done["billing"]["reservedCoins"]) == ("failed", 0)
    assert await db.fetchval("SELECT count(*) FROM push_devices") == 0
