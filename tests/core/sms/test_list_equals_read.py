"""The page that PostgreSQL writes says what the record of one message says."""

from datetime import UTC, datetime

import pytest

from core import sms
from core.foundation.database import db
from core.foundation.security.caller import KEY_SCOPES, Scope
from tests.factories.organizations import a_caller
from tests.factories.stored_contacts import stored_contact

pytestmark = pytest.mark.usefixtures("clean_slate")


@pytest.mark.parametrize(
    "scopes", [KEY_SCOPES, KEY_SCOPES - {Scope.PII_FULL}], ids=["unmasked", "masked"]
)
async def test_an_item_of_the_page_equals_the_message_read_alone(scopes: frozenset[Scope]) -> None:
    caller = await a_caller(scopes=scopes)
    await stored_contact(caller, id="cnt_1")
    sends = [
        sms.NewSms(
            to="+5511987650005",
            body="Olá, ção",
            route=sms.SmsRoute.PREMIUM,
            metadata={"a": 1.5, "b": "x", "c": True},
        ),
        sms.NewSms(
            to="+5511987650006",
            body="€ [x]",
            route=sms.SmsRoute.OTP,
            contact_id="cnt_1",
            campaign_id="c-1",
        ),
        sms.NewSms(to="+4915123456789", body="Guten Tag", route=sms.SmsRoute.PREMIUM),
    ]
    for number, new in enumerate(sends):
        await sms.send_message(caller, new, idempotency_key=f"k{number}")
    await sms.apply_due_reports(at=datetime.now(UTC).replace(year=2100))
    # The last microsecond of a millisecond: neither entry point rounds it up.
    await db.execute(
        "UPDATE messages SET created_at = date_trunc('second', created_at) + interval '0.123999 s'"
    )

    page = await sms.list_messages(caller, sms.SmsFilter())

    assert len(page["items"]) == len(sends)
    for item in page["items"]:
        assert item == await sms.get_message(caller, item["id"])


async def test_metadata_that_looks_like_a_mask_stays_as_it_is() -> None:
    caller = await a_caller(scopes=KEY_SCOPES - {Scope.PII_FULL})
    metadata: dict[str, str | int | float | bool] = {"to": "+5511987650005", "m": "mark:"}
    await sms.send_message(
        caller,
        sms.NewSms(to="+5511987650099", body="Oi", route=sms.SmsRoute.OTP, metadata=metadata),
        idempotency_key="k",
    )

    [item] = (await sms.list_messages(caller, sms.SmsFilter()))["items"]

    assert item["metadata"] == metadata
    assert item["to"] == "+5511*****0099"
