"""The page that PostgreSQL writes says what the record of one message says."""

import pytest

from core import rcs
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.security.caller import KEY_SCOPES, Scope
from tests.factories.organizations import a_caller
from tests.factories.rcs import CARD, FALLBACK, NO_RCS, an_rcs
from tests.factories.stored_contacts import stored_contact

pytestmark = pytest.mark.usefixtures("clean_slate")


@pytest.mark.parametrize(
    "scopes", [KEY_SCOPES, KEY_SCOPES - {Scope.PII_FULL}], ids=["unmasked", "masked"]
)
async def test_an_item_of_the_page_equals_the_message_read_alone(scopes: frozenset[Scope]) -> None:
    caller = await a_caller(scopes=scopes)
    await stored_contact(caller, id="cnt_1")
    metadata = {"a": 1.5, "b": "x", "c": True}
    await an_rcs(caller, content={"text": 'Olá, "ção" €'}, metadata=metadata)
    await an_rcs(caller, content={"card": CARD}, contactId="cnt_1", campaignId="c-1")
    by_sms = await an_rcs(caller, to=NO_RCS, fallback=FALLBACK)
    failed = await an_rcs(caller, to=NO_RCS)
    await rcs.apply_due_reports(at=now().replace(year=2100))
    later = await an_rcs(caller, scheduledAt=now().replace(microsecond=0).isoformat())
    erased = await an_rcs(caller)
    await db.execute("UPDATE messages SET content = NULL WHERE id = $1", erased["id"])
    # While its fallback is on its way, a message has a reason and nothing has failed.
    underway = await an_rcs(caller)
    await db.execute("UPDATE messages SET reason = 'no_rcs' WHERE id = $1", underway["id"])
    # The last microsecond of a millisecond: neither entry point rounds it up.
    await db.execute(
        "UPDATE messages SET created_at = date_trunc('second', created_at) + interval '0.123999 s'"
    )

    page = await rcs.list_messages(caller, rcs.RcsFilter())

    items = {item["id"]: item for item in page["items"]}
    assert items == {id: await rcs.get_message(caller, id) for id in items}
    assert len(items) == 7
    assert items[by_sms["id"]]["channel"] == "sms"
    assert items[failed["id"]]["failureReason"] == "no_rcs"
    assert "scheduledAt" in items[later["id"]]
    assert items[erased["id"]]["content"] == {}
    assert "failureReason" not in items[underway["id"]]
