"""Receipts are there with their message, and not without it."""

import pytest

from core import smpp, sms
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.errors import ServiceError
from core.providers.contracts import Accepted, Failed, Refused
from tests.factories.live import a_live_caller
from tests.factories.sms import a_new_sms
from tests.fakes.provider import ScriptedProvider

pytestmark = pytest.mark.usefixtures("clean_slate")


def an_account_with_two_parts() -> smpp.SentBySmpp:
    wanted = [
        smpp.WantedReceipt(part, 1, "SVC", "5511987650005", 7, now()) for part in ("prt_1", None)
    ]
    return smpp.SentBySmpp("smp_1", tuple(wanted))


async def due() -> list[tuple[str, bool]]:
    rows = await db.fetch("SELECT id, due_at FROM smpp_receipts ORDER BY id")
    return [(row["id"], row["due_at"] is not None) for row in rows]


@pytest.mark.parametrize(("answer", "is_due"), [(Accepted("gw_1"), False), (Refused("invalid_number"), True)])  # fmt: skip
async def test_what_a_provider_says_of_the_recipient_is_told_by_receipts(
    provider: ScriptedProvider, answer: Accepted | Refused, is_due: bool
) -> None:
    provider.will(answer)
    caller = await a_live_caller()

    sent = await sms.send_message(
        caller, a_new_sms(), idempotency_key="k", by=an_account_with_two_parts()
    )

    assert await due() == [(sent["id"], is_due), ("prt_1", is_due)]


async def test_a_send_that_its_provider_does_not_take_leaves_no_receipt_and_its_repeat_has_all(
    provider: ScriptedProvider,
) -> None:
    provider.will(Failed())
    caller = await a_live_caller()
    with pytest.raises(ServiceError):
        await sms.send_message(
            caller, a_new_sms(), idempotency_key="k", by=an_account_with_two_parts()
        )
    assert await due() == []

    provider.will(Accepted("gw_1"))
    sent = await sms.send_message(
        caller, a_new_sms(), idempotency_key="k", by=an_account_with_two_parts()
    )

    assert await due() == [(sent["id"], False), ("prt_1", False)]


async def test_a_repeat_asks_for_nothing_more(provider: ScriptedProvider) -> None:
    caller = await a_live_caller()
    for _ in range(2):
        sent = await sms.send_message(
            caller, a_new_sms(), idempotency_key="k", by=an_account_with_two_parts()
        )

    assert await due() == [(sent["id"], False), ("prt_1", False)]
