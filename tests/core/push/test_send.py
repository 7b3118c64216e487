"""A dispatch from its creation to its end, in the sandbox."""

from datetime import UTC, datetime, timedelta
from typing import Any

import orjson
import pytest

from core import contacts, idempotency, push, segments, wallet
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.errors import Forbidden, NotFound, PaymentRequired, ValidationFailed
from core.foundation.validation.inputs import read_body
from core.push import start
from core.push.errors import NoSuchSegment
from core.push.models import PushDelivery, PushDevice, PushDispatch
from core.push.sandbox_sender import ANSWER_TIMEOUT
from core.wallet import Wallet, WalletTransfer
from tests.factories.contacts import a_contact
from tests.factories.organizations import a_caller
from tests.factories.push import EVERYWHERE, a_device, a_dispatch, drained, opt_out, queue_of
from tests.support.graphql import data_of
from tests.support.sql_tables import rows_of
from tests.support.statements import statements

pytestmark = pytest.mark.usefixtures("clean_slate")


async def money(caller: Any) -> tuple[int, int, int]:
    """Available, held and spent."""
    row = await Wallet.get(organization_id=caller.organization_id, env=caller.env)
    return row.available, row.held, row.revenue


async def test_a_dispatch_reaches_everybody_who_opted_in_and_is_paid_by_device() -> None:
    caller = await a_caller()
    for platform in EVERYWHERE:
        await a_device(caller, platform=platform)
    await a_device(caller, "out")
    await opt_out(caller, "out")
    await a_device(await a_caller())
    before = await money(caller)

    created = await a_dispatch(caller)
    held = await money(caller)
    done = await drained(caller, created["id"])

    assert (created["status"], created["metrics"]["reach"]) == ("queued", 3)
    assert created["billing"] == {"unitCoins": 20, "reservedCoins": 60, "capturedCoins": 0}
    assert held == (before[0] - 60, 60, 0)
    assert done["status"] == "sent"
    assert done["metrics"] == {"reach": 3, "delivered": 3, "opened": 0, "failed": 0, "optedOut": 0}
    of_each = {one: {"delivered": 1, "opened": 0, "failed": 0} for one in EVERYWHERE}
    assert done["breakdown"] == {
        **of_each,
        "desconhecida": {"delivered": 0, "opened": 0, "failed": 0},
    }
    assert done["billing"] == {"unitCoins": 20, "reservedCoins": 0, "capturedCoins": 60}
    assert await money(caller) == (before[0] - 60, 0, 60)
    assert done["startedAt"] <= done["completedAt"]


@pytest.mark.parametrize(
    ("content", "kind", "coins"),
    [
        ({}, "simple", 20),
        ({"imageUrl": "https://cdn.example.com/a.png"}, "rich", 40),
        ({"actions": [{"label": "Ver"}]}, "rich", 40),
        ({"actions": []}, "simple", 20),
        ({"title": "", "body": ""}, "silent", 10),
    ],
)
async def test_the_content_decides_the_price(
    content: dict[str, Any], kind: str, coins: int
) -> None:
    caller = await a_caller()
    await a_device(caller)

    created = await a_dispatch(caller, **content)

    assert (created["rateKind"], created["billing"]["unitCoins"]) == (kind, coins)


async def test_the_organizations_own_table_decides_before_the_published_one() -> None:
    caller = await a_caller()
    await a_device(caller)
    await wallet.set_prices(caller.organization_id, {"push": {"simple": 7, "rich": 8, "silent": 9}})

    assert (await a_dispatch(caller))["billing"]["unitCoins"] == 7


async def test_the_end_of_a_token_chooses_what_becomes_of_the_device() -> None:
    caller = await a_caller()
    devices = {
        end: (await a_device(caller, f"t{end}"))["id"] for end in ("", ":fail", ":gone", ":silent")
    }
    before = await money(caller)

    created = await a_dispatch(caller)
    under_way = await drained(caller, created["id"])
    waiting = await queue_of(created["id"])
    while await push.drain_sandbox(at=now() + ANSWER_TIMEOUT):
        pass
    done = await push.get_push(caller, created["id"])

    assert (under_way["status"], waiting[devices[":silent"]]) == ("sending", ("sending", None))
    assert "completedAt" not in under_way
    assert await queue_of(created["id"]) == {
        devices[""]: ("delivered", None),
        devices[":fail"]: ("failed", "rejected"),
        devices[":gone"]: ("failed", "gone"),
        devices[":silent"]: ("failed", "no_answer"),
    }
    assert (done["status"], done["metrics"]["delivered"], done["metrics"]["failed"]) == (
        "sent",
        1,
        3,
    )
    assert await money(caller) == (before[0] - 20, 0, 20)
    gone = await PushDevice.get(id=devices[":gone"])
    assert gone.deactivated_at is not None
    assert gone.opted_in


async def test_a_device_that_is_gone_gets_nothing_more_until_it_registers_again() -> None:
    caller = await a_caller()
    await a_device(caller, "t:gone")
    first = await a_dispatch(caller)
    await drained(caller, first["id"])

    assert (await a_dispatch(caller))["metrics"]["reach"] == 0
    await a_device(caller, "t:gone")
    assert (await a_dispatch(caller))["metrics"]["reach"] == 1


async def test_a_dispatch_of_which_nothing_was_accepted_has_failed() -> None:
    caller = await a_caller()
    await a_device(caller, "t:fail")
    before = await money(caller)

    created = await a_dispatch(caller)
    done = await drained(caller, created["id"])
    nobody = await a_dispatch(await a_caller())

    assert done["status"] == "failed"
    assert await money(caller) == before
    assert nobody["metrics"]["reach"] == 0
    assert nobody["warnings"] == ["nenhum_dispositivo_alcancado"]


async def test_devices_are_named_by_id_or_token_and_only_of_the_platforms_that_were_asked_for() -> (
    None
):
    caller = await a_caller()
    by_id = await a_device(caller, "t1")
    by_token = await a_device(caller, "t2")
    await a_device(caller, "t3")
    await a_device(caller, "t4", platform="ios")
    strange = await a_device(await a_caller(), "t5")

    created = await a_dispatch(
        caller, tokenIds=[by_id["id"], "t2", "t2", "t4", strange["id"], "t5"], platforms=["android"]
    )

    assert created["tokenCount"] == 6
    assert "segment" not in created
    assert (await queue_of(created["id"])).keys() == {by_id["id"], by_token["id"]}


async def a_vip_segment(caller: Any) -> str:
    leaf = {"field": "tag", "operator": "is", "value": "vip"}
    new = segments.NewSegment.model_validate({"name": "VIP", "filters": [leaf]})
    return str((await segments.create_segment(caller, new))["id"])


async def test_a_segment_reaches_the_devices_of_its_contacts() -> None:
    caller = await a_caller()
    await a_contact(caller, externalId="c-1", tags=["vip"])
    await a_contact(caller, externalId="c-2")
    phone, tablet = [await a_device(caller, externalId="c-1") for _ in range(2)]
    await a_device(caller, externalId="c-2")
    await a_device(caller)

    created = await a_dispatch(caller, segment=await a_vip_segment(caller))

    assert (await queue_of(created["id"])).keys() == {phone["id"], tablet["id"]}


@pytest.mark.parametrize("segment", ["seg_000000000000000000000", "vip", ""])
async def test_a_segment_that_is_not_there_is_refused(segment: str) -> None:
    caller = await a_caller()
    strange = await a_vip_segment(await a_caller())

    for refused in (segment, strange):
        with pytest.raises(NoSuchSegment):
            await a_dispatch(caller, segment=refused)

    assert await PushDispatch.all().count() == 0


@pytest.mark.parametrize("audience", [{}, {"segment": "all_opt_in", "tokenIds": ["t1"]}])
def test_exactly_one_audience_is_named(audience: dict[str, Any]) -> None:
    body = {"title": "Oi", "body": "Oi", "platforms": ["ios"], **audience}

    with pytest.raises(ValidationFailed) as refusal:
        read_body(push.NewPush, orjson.dumps(body))

    assert refusal.value.meta == {"code": "AUDIENCIA_INVALIDA"}


@pytest.mark.parametrize("channel", ["push", "todos"])
async def test_whoever_denied_push_or_everything_is_not_reached(channel: str) -> None:
    caller = await a_caller()
    contact = await a_contact(caller, externalId="c-1")
    await a_device(caller, externalId="c-1")
    wish = contacts.OptOut.model_validate({"contactIds": [contact["id"]], "canal": channel})
    await contacts.opt_out(caller, wish)

    assert (await a_dispatch(caller))["metrics"]["reach"] == 0


async def test_who_denied_another_channel_is_reached() -> None:
    caller = await a_caller()
    contact = await a_contact(caller, externalId="c-1")
    await a_device(caller, externalId="c-1")
    await contacts.opt_out(
        caller, contacts.OptOut.model_validate({"contactIds": [contact["id"]], "canal": "sms"})
    )

    assert (await a_dispatch(caller))["metrics"]["reach"] == 1


async def test_without_the_balance_nothing_is_queued() -> None:
    caller = await a_caller()
    for _ in range(3):
        await a_device(caller)
    await Wallet.filter(organization_id=caller.organization_id, env="test").update(available=59)

    with pytest.raises(PaymentRequired) as refusal:
        await a_dispatch(caller, key="k")

    assert refusal.value.meta == {"saldoCoins": 59, "necessarioCoins": 60}
    assert await rows_of(PushDelivery).count() == await PushDispatch.all().count() == 0
    assert await WalletTransfer.filter(kind="reserva").count() == 0
    await Wallet.filter(organization_id=caller.organization_id, env="test").update(available=60)
    assert (await a_dispatch(caller, key="k"))["metrics"]["reach"] == 3


async def test_an_installation_without_wallets_charges_nothing(billing_off: None) -> None:
    caller = await a_caller()
    await a_device(caller)

    done = await drained(caller, (await a_dispatch(caller))["id"])

    assert done["status"] == "sent"
    assert done["billing"] == {"unitCoins": 0, "reservedCoins": 0, "capturedCoins": 0}
    assert await WalletTransfer.filter(kind__in=["reserva", "captura"]).count() == 0


async def test_a_key_sends_once_and_its_answer_comes_again() -> None:
    caller = await a_caller()
    await a_device(caller)

    first = await a_dispatch(caller, key="k")
    await a_device(caller)
    again = await a_dispatch(caller, key="k")

    assert again == first
    assert await PushDispatch.all().count() == 1
    with pytest.raises(idempotency.KeyReusedWithAnotherBody):
        await a_dispatch(caller, key="k", title="Outra")
    assert await PushDispatch.all().count() == 1


async def test_a_scheduled_dispatch_waits_for_its_time_and_its_key_lives_as_long() -> None:
    caller = await a_caller()
    await a_device(caller)
    later = datetime.now(UTC) + timedelta(days=3)

    created = await a_dispatch(caller, key="k", scheduledAt=later.isoformat())

    assert (created["status"], created["metrics"]["reach"]) == ("scheduled", 1)
    assert (await drained(caller, created["id"]))["status"] == "scheduled"
    assert await db.fetchval(
        "SELECT expires_at FROM idempotency_keys WHERE key = 'k'"
    ) > later + timedelta(hours=23)
    assert await push.start_due(at=later) == 1
    assert (await drained(caller, created["id"]))["status"] == "sent"


async def test_devices_that_are_no_longer_to_be_reached_are_dropped_when_the_time_comes() -> None:
    caller = await a_caller()
    await a_contact(caller, externalId="stays", tags=["vip"])
    leaves = await a_contact(caller, externalId="leaves", tags=["vip"])
    denies = await a_contact(caller, externalId="denies", tags=["vip"])
    for name in ("stays", "leaves", "denies"):
        await a_device(caller, name, externalId=name)
    await a_device(caller, "opts out", externalId="stays")
    before = await money(caller)
    later = datetime.now(UTC) + timedelta(days=1)
    created = await a_dispatch(
        caller, segment=await a_vip_segment(caller), scheduledAt=later.isoformat()
    )

    await opt_out(caller, "opts out")
    await contacts.change_contact(
        caller, leaves["id"], contacts.ContactChanges.model_validate({"tags": []})
    )
    await contacts.opt_out(
        caller, contacts.OptOut.model_validate({"contactIds": [denies["id"]], "canal": "push"})
    )
    held = await money(caller)
    await push.start_due(at=later)
    done = await drained(caller, created["id"])

    assert held == (before[0] - 80, 80, 0)
    assert done["status"] == "sent"
    assert done["metrics"] == {"reach": 4, "delivered": 1, "opened": 0, "failed": 0, "optedOut": 1}
    assert await money(caller) == (before[0] - 20, 0, 20)


async def test_a_device_that_opts_out_before_its_turn_is_dropped() -> None:
    caller = await a_caller()
    device = await a_device(caller, "t1")
    created = await a_dispatch(caller)
    await push.start_due(at=now())

    await opt_out(caller, "t1")
    done = await drained(caller, created["id"])

    assert await queue_of(created["id"]) == {device["id"]: ("dropped", None)}
    assert (done["status"], done["metrics"]["optedOut"], done["billing"]["reservedCoins"]) == (
        "failed",
        1,
        0,
    )


async def test_a_canceled_dispatch_gives_its_money_back_and_is_never_sent() -> None:
    caller = await a_caller()
    await a_device(caller)
    before = await money(caller)
    later = datetime.now(UTC) + timedelta(days=1)
    created = await a_dispatch(caller, scheduledAt=later.isoformat())

    canceled = await push.cancel_push(caller, created["id"])
    again = await push.cancel_push(caller, created["id"])

    assert canceled["status"] == "canceled"
    assert again == canceled
    assert await money(caller) == before
    assert await push.start_due(at=later) == 0


async def test_what_is_due_is_looked_for_once_and_left_alone_when_it_is_canceled_meanwhile(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    caller = await a_caller()
    await a_device(caller)
    due = now() + timedelta(hours=1)
    created = await a_dispatch(caller, scheduledAt=due.isoformat())

    async def cancel(*_: Any, **__: Any) -> None:
        await push.cancel_push(caller, created["id"])

    monkeypatch.setattr(start, "deferred_to", cancel)
    async with statements() as asked:
        await push.start_due(at=due)

    looked = start.DUE.partition("/* whose */")[0]
    assert sum(text.startswith(looked) for text in asked) == 1
    assert (await push.get_push(caller, created["id"]))["status"] == "canceled"
    assert await push.start_due(at=due) == 0


async def test_what_has_begun_cannot_be_canceled() -> None:
    caller = await a_caller()
    await a_device(caller)
    created = await a_dispatch(caller)

    for _ in range(2):
        with pytest.raises(push.NoLongerCancelable):
            await push.cancel_push(caller, created["id"])
        done = await drained(caller, created["id"])

    assert done["status"] == "sent"


async def test_an_open_counts_once_for_each_device() -> None:
    caller = await a_caller()
    await a_device(caller, "t1", platform="ios")
    await a_device(caller, "t2")
    created = await a_dispatch(caller)
    await drained(caller, created["id"])

    async def opened(**body: str) -> bool:
        answer = await push.record_open(caller, created["id"], push.Opened.model_validate(body))
        return bool(answer["counted"])

    counted = [await opened(token=token) for token in ("t1", "t1", "t2", "unknown")]
    counted.append(await opened())

    done = await push.get_push(caller, created["id"])
    assert counted == [True, False, True, False, False]
    assert (done["metrics"]["opened"], done["breakdown"]["ios"]["opened"]) == (2, 1)


async def test_without_a_token_the_first_open_counts_once() -> None:
    caller = await a_caller()
    await a_device(caller)
    created = await a_dispatch(caller)

    counted = [
        (await push.record_open(caller, created["id"], push.Opened()))["counted"] for _ in range(2)
    ]

    assert counted == [True, False]
    read: dict[str, Any] = {**await push.get_push(caller, created["id"])}
    assert read["metrics"]["opened"] == 1
    assert {name: one["opened"] for name, one in read["breakdown"].items()} == {
        **dict.fromkeys(EVERYWHERE, 0),
        "desconhecida": 1,
    }
    shown = "breakdown { desconhecida { opened } }"
    asked = await data_of(caller, f'{{ pushMessage(id: "{created["id"]}") {{ {shown} }} }}')
    assert asked["pushMessage"]["breakdown"]["desconhecida"] == {"opened": 1}


async def test_a_dispatch_of_another_organization_or_environment_is_not_found() -> None:
    caller = await a_caller()
    created = await a_dispatch(caller)

    for stranger in (
        await a_caller(),
        await a_caller("live", organization_id=caller.organization_id),
    ):
        for use_case in (push.get_push, push.cancel_push):
            with pytest.raises(NotFound):
                await use_case(stranger, created["id"])
        with pytest.raises(NotFound):
            await push.record_open(stranger, created["id"], push.Opened())

    assert (await push.get_push(caller, created["id"]))["metrics"]["opened"] == 0


async def test_a_preview_counts_and_prices_and_leaves_no_trace() -> None:
    caller = await a_caller()
    await a_device(caller)
    await a_device(caller, platform="ios")
    before = await money(caller)
    draft = push.PushDraft.model_validate(
        {"platforms": ["android"], "segment": "all_opt_in", "actions": [{"label": "Ver"}]}
    )

    assert await push.preview_push(caller, draft) == {
        "reach": 1,
        "breakdown": {"ios": 0, "android": 1, "web": 0},
        "rateKind": "rich",
        "unitCoins": 40,
        "coins": 40,
        "charged": True,
    }
    assert await money(caller) == before
    assert await PushDispatch.all().count() == await rows_of(PushDelivery).count() == 0


async def test_a_preview_says_when_nothing_is_charged(billing_off: None) -> None:
    caller = await a_caller()
    await a_device(caller)
    draft = push.PushDraft.model_validate({"platforms": EVERYWHERE, "segment": "all_opt_in"})

    preview = await push.preview_push(caller, draft)

    assert (preview["reach"], preview["coins"], preview["charged"]) == (1, 0, False)


async def test_without_the_scope_nothing_is_sent_or_read() -> None:
    owner = await a_caller()
    created = await a_dispatch(owner)
    caller = await a_caller(organization_id=owner.organization_id, scopes=frozenset())

    with pytest.raises(Forbidden):
        await a_dispatch(caller)
    with pytest.raises(Forbidden):
        await push.get_push(caller, created["id"])
    with pytest.raises(Forbidden):
        await push.list_pushes(caller, push.PushFilter())

    assert await PushDispatch.all().count() == 1
