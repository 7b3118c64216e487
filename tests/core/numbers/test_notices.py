"""What the platform tells of numbers by itself, and what a test key lets it tell."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from core import numbers
from core.foundation.clock import now, wire_time
from core.foundation.errors import Forbidden, NotFound, ValidationFailed
from core.foundation.security.caller import Caller, Scope
from core.numbers import Number, SandboxEvent, apply_notices
from core.providers.platform import NumberNotice
from core.webhooks import WebhookEvent
from tests.factories.numbers import a_number
from tests.factories.organizations import a_caller

pytestmark = pytest.mark.usefixtures("clean_slate")

AT = now()


@pytest.fixture
async def caller(clean_slate: None) -> Caller:
    return await a_caller()


def notice(
    kind: str, value: str | None = None, *, of: Number, at: Any = AT, **fields: Any
) -> NumberNotice:
    return NumberNotice(kind, of.phone_number_id, None, value, at, **fields)


def of_account(
    kind: str, value: str | None, number: Number, phone: str | None = None
) -> NumberNotice:
    return NumberNotice(kind, None, number.waba_id, value, AT, phone=phone)


async def marks(number: Number) -> tuple[Any, Any]:
    stored = await Number.get(id=number.id)
    return stored.partner_removed_at, stored.partner_removed_reason


async def test_a_notice_of_quality_changes_the_number_and_is_told(caller: Caller) -> None:
    number = await a_number(caller)

    await apply_notices([notice("quality", "RED", of=number)], AT)

    stored = await Number.get(id=number.id)
    assert (stored.quality_rating, stored.status) == ("red", "flagged")
    event = await WebhookEvent.get()
    assert (event.organization_id, event.env, event.type) == (
        caller.organization_id,
        "test",
        "number.quality_changed",
    )
    assert event.data["from"] == {"qualityRating": "green", "messagingTier": "unlimited"}
    assert event.data["to"] == {"qualityRating": "red", "messagingTier": "unlimited"}


async def test_a_notice_that_comes_again_is_told_once(caller: Caller) -> None:
    number = await a_number(caller)
    for _ in range(2):
        await apply_notices([notice("tier", "tier_1k", of=number)] * 2, AT)
    assert await WebhookEvent.all().count() == 1
    assert (await Number.get(id=number.id)).rate_per_day == 1_000


async def test_notices_apply_in_the_order_of_their_times(caller: Caller) -> None:
    number = await a_number(caller)
    later = notice("quality", "yellow", of=number, at=AT + timedelta(seconds=1))

    await apply_notices([later, notice("quality", "red", of=number)], AT)

    stored = await Number.get(id=number.id)
    assert (stored.quality_rating, stored.status) == ("yellow", "connected")
    assert await WebhookEvent.all().count() == 2


async def test_a_flagged_number_is_connected_again_when_its_quality_is_not_red_any_more(
    caller: Caller,
) -> None:
    number = await a_number(caller, status="flagged", quality_rating="red")
    await apply_notices([notice("quality", "unknown", of=number)], AT)
    stored = await Number.get(id=number.id)
    assert (stored.quality_rating, stored.status) == ("unknown", "connected")


async def test_a_phone_is_known_with_and_without_its_ninth_digit(caller: Caller) -> None:
    number = await a_number(caller, phone="+5511987654321")
    await apply_notices([of_account("tier", "tier_2k", number, phone="+551187654321")], AT)
    assert (await Number.get(id=number.id)).messaging_tier == "tier_2k"


async def test_a_notice_of_an_account_is_of_all_its_numbers_or_of_the_one_it_names(
    caller: Caller,
) -> None:
    one, two, strange = (
        await a_number(caller),
        await a_number(caller),
        await a_number(await a_caller()),
    )

    await apply_notices([of_account("partner_removed", None, one)], AT)
    await apply_notices([of_account("tier", "tier_2k", one, phone=two.phone)], AT)

    assert await marks(one) == await marks(two) == (AT, "PARTNER_REMOVED")
    assert await marks(strange) == (None, None)
    tiers = [(await Number.get(id=number.id)).messaging_tier for number in (one, two, strange)]
    assert tiers == ["unlimited", "tier_2k", "unlimited"]


@pytest.mark.parametrize(
    ("kind", "reason"),
    [("partner_removed", "PARTNER_REMOVED"), ("app_uninstalled", "PARTNER_APP_UNINSTALLED")],
)
async def test_the_marks_are_set_and_cleared_together_and_change_no_status(
    caller: Caller, kind: str, reason: str
) -> None:
    number = await a_number(caller)

    await apply_notices([notice(kind, of=number)], AT)
    again = notice(kind, of=number, at=AT + timedelta(hours=1))
    await apply_notices([again], AT)

    record = await numbers.get_number(caller, number.id)
    assert (record["meta"]["partnerRemovedAt"], record["meta"]["partnerRemovedReason"]) == (
        wire_time(AT),
        reason,
    )
    assert record["status"] == "connected"

    await apply_notices([notice("partner_restored", of=number)], AT)

    record = await numbers.get_number(caller, number.id)
    assert (record["meta"]["partnerRemovedAt"], record["meta"]["partnerRemovedReason"]) == (
        None,
        None,
    )
    assert record["status"] == "connected"
    assert await WebhookEvent.all().count() == 0


@pytest.mark.parametrize(
    ("kind", "value"), [("quality", "red"), ("tier", "tier_250"), ("name", "rejected")]
)
async def test_a_notice_that_is_older_than_the_last_look_changes_nothing(
    caller: Caller, kind: str, value: str
) -> None:
    number = await a_number(caller, last_meta_sync_at=AT)
    before = await numbers.get_number(caller, number.id)

    await apply_notices([notice(kind, value, of=number, at=AT - timedelta(seconds=16))], AT)
    assert await numbers.get_number(caller, number.id) == before
    assert await WebhookEvent.all().count() == 0

    await apply_notices([notice(kind, value, of=number, at=AT - timedelta(seconds=1))], AT)
    assert await numbers.get_number(caller, number.id) != before


async def test_a_return_that_is_older_than_the_removal_does_not_clear_its_mark(
    caller: Caller,
) -> None:
    number = await a_number(caller)
    await apply_notices([notice("partner_removed", of=number)], AT)

    await apply_notices([notice("partner_restored", of=number, at=AT - timedelta(seconds=1))], AT)

    assert await marks(number) == (AT, "PARTNER_REMOVED")


async def test_a_name_is_decided_on(caller: Caller) -> None:
    number = await a_number(caller)
    await apply_notices([notice("name", "rejected", of=number)], AT)
    assert (await numbers.get_number(caller, number.id))["meta"]["nameStatus"] == "rejected"


@pytest.mark.parametrize("kind", ["quality", "tier", "name", "holiday"])
async def test_what_nobody_understands_changes_nothing(caller: Caller, kind: str) -> None:
    number = await a_number(caller)
    before = await numbers.get_number(caller, number.id)

    unknown = NumberNotice("quality", "106540352242922", None, "red", AT)
    await apply_notices([notice(kind, "x", of=number), notice(kind, None, of=number), unknown], AT)

    assert await numbers.get_number(caller, number.id) == before


# By a test key -----------------------------------------------------------------------------------


async def happens(
    caller: Caller, number: Number, tipo: str, valor: str | None = None
) -> numbers.NumberRecord:
    return await numbers.simulate_event(
        caller,
        number.id,
        SandboxEvent.model_validate({"tipo": tipo, "valor": valor} if valor else {"tipo": tipo}),
    )


async def test_a_test_key_lets_the_platform_speak(caller: Caller) -> None:
    number = await a_number(caller)

    assert (await happens(caller, number, "quality", "red"))["status"] == "flagged"
    assert (await happens(caller, number, "tier", "tier_250"))["rateLimit"]["perDay"] == 250
    marked = await happens(caller, number, "app_uninstalled")
    assert marked["meta"]["partnerRemovedReason"] == "PARTNER_APP_UNINSTALLED"
    restored = await happens(caller, number, "partner_restored")

    assert restored["meta"]["partnerRemovedAt"] is None
    assert restored == await numbers.get_number(caller, number.id)
    assert await WebhookEvent.filter(type="number.quality_changed").count() == 2


@pytest.mark.parametrize(
    ("tipo", "valor", "code"),
    [
        ("quality", None, "required"),
        ("quality", "tier_1k", "not_allowed"),
        ("quality", "flagged", "not_allowed"),
        ("tier", None, "required"),
        ("tier", "red", "not_allowed"),
    ],
)
async def test_an_unfit_value_is_named(
    caller: Caller, tipo: str, valor: str | None, code: str
) -> None:
    number = await a_number(caller)
    before = await numbers.get_number(caller, number.id)

    with pytest.raises(ValidationFailed) as refusal:
        await happens(caller, number, tipo, valor)

    assert [(error.where, error.code) for error in refusal.value.errors] == [("/valor", code)]
    assert await numbers.get_number(caller, number.id) == before
    assert await WebhookEvent.all().count() == 0


async def test_nothing_happens_by_the_word_of_a_live_key_a_stranger_or_a_reader(
    caller: Caller,
) -> None:
    live = replace(caller, env="live")
    number, sandbox = await a_number(live), await a_number(caller)

    for speaker, one in (
        (live, number),
        (caller, number),
        (live, sandbox),
        (await a_caller(), sandbox),
    ):
        with pytest.raises(NotFound):
            await happens(speaker, one, "quality", "red")
    with pytest.raises(Forbidden):
        await happens(
            replace(caller, scopes=frozenset({Scope.NUMBERS_READ})), sandbox, "quality", "red"
        )

    assert await Number.filter(quality_rating="red").count() == 0
