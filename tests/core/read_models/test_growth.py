"""Lists and totals of many contacts, the funnel of a campaign, what few of many deliveries have, and
what waits for one client among many: by an index, however many there are.
"""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from core import contacts, segments, smpp, webhooks
from core.foundation.database import db
from core.foundation.security.caller import Caller, Scope
from core.read_models.contacts import CONTACT
from core.read_models.query_compiler import PageParts, Selection, read_page
from core.read_models.statistics import CampaignStatsQuery, campaign_stats
from core.read_models.webhooks import DELIVERY
from tests.factories.organizations import a_caller
from tests.factories.stored_contacts import stored_contacts
from tests.factories.webhooks import a_subscription
from tests.support.plans import rows_read

AT = datetime(2026, 1, 20, 12, 0, tzinfo=UTC)
MANY = 2_000
PAGE = 20


@pytest.fixture
async def caller(clean_slate: None) -> Caller:
    return await a_caller()


async def many_contacts(caller: Caller) -> None:
    """Half of them never wrote; many of the others wrote at the same moment."""
    rows: list[dict[str, Any]] = [
        {
            "last_interaction_at": AT + timedelta(minutes=place // 7) if place % 2 else None,
            "source": ("api", "import", "manual")[place % 3],
            "opt_in_status": ("granted", "unknown")[place % 2],
            "attributes": {"about": "x" * 400},
        }
        for place in range(MANY)
    ]
    await stored_contacts(caller, rows)
    await db.execute("ANALYZE contacts")


async def page(caller: Caller, **arguments: Any) -> dict[str, Any]:
    selection = Selection(fields={"id": None, "lastInteractionAt": None})
    found: dict[str, Any] = await read_page(
        caller, CONTACT, arguments, selection, PageParts(nodes=True, cursors=True)
    )
    return found


@pytest.mark.parametrize("order", ["lastInteractionAt", "-lastInteractionAt"])
async def test_pages_by_the_last_interaction_read_what_they_show_at_any_depth(
    caller: Caller, order: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    await many_contacts(caller)
    whole = await page(caller, orderBy=order, first=100)
    for _ in range(6):
        whole = await page(caller, orderBy=order, first=100, after=whole["pageInfo"]["endCursor"])
    deep = whole["pageInfo"]["endCursor"]
    assert whole["nodes"][-1]["lastInteractionAt"] is not None
    for _ in range(5):
        whole = await page(caller, orderBy=order, first=100, after=whole["pageInfo"]["endCursor"])
    among_the_silent = whole["pageInfo"]["endCursor"]
    assert whole["nodes"][-1]["lastInteractionAt"] is None

    for arguments in (
        {"first": PAGE},
        {"last": PAGE},
        {"first": PAGE, "after": deep},
        {"last": PAGE, "before": deep},
        {"first": PAGE, "after": among_the_silent},
        {"last": PAGE, "before": among_the_silent},
    ):
        read = await rows_read(page(caller, orderBy=order, **arguments), "contacts", monkeypatch)
        # A page of each half, and who wrote at the moment of a mark.
        assert read <= 3 * PAGE, arguments


@pytest.mark.parametrize("order", ["lastInteractionAt", "-lastInteractionAt"])
async def test_pages_by_the_last_interaction_go_through_all_contacts_either_way(
    caller: Caller, order: str
) -> None:
    times = [None, AT, AT, AT + timedelta(minutes=1), None, AT + timedelta(minutes=2), None]
    ids = await stored_contacts(caller, [{"last_interaction_at": at} for at in times])
    wrote = sorted(
        ((at, id) for at, id in zip(times, ids, strict=True) if at), reverse=order.startswith("-")
    )
    silent = sorted(
        (id for at, id in zip(times, ids, strict=True) if at is None), reverse=order.startswith("-")
    )
    expected = [*(id for _, id in wrote), *silent]

    forward: list[str] = []
    marks: dict[str, Any] = {}
    while True:
        found = await page(caller, orderBy=order, first=2, **marks)
        forward += [node["id"] for node in found["nodes"]]
        if not found["pageInfo"]["hasNextPage"]:
            break
        marks = {"after": found["pageInfo"]["endCursor"]}
    backward: list[str] = []
    marks = {}
    while True:
        found = await page(caller, orderBy=order, last=2, **marks)
        backward = [*(node["id"] for node in found["nodes"]), *backward]
        if not found["pageInfo"]["hasPreviousPage"]:
            break
        marks = {"before": found["pageInfo"]["startCursor"]}

    assert forward == backward == expected


@pytest.mark.parametrize("filter", [{"source": "manual"}, {"optInStatus": "granted"}])
async def test_totals_by_source_and_consent_are_counted_without_reading_all_contacts(
    caller: Caller, filter: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    await many_contacts(caller)
    totals = {"source": MANY // 3, "optInStatus": MANY // 2}
    asked = contacts.ContactFilter.model_validate(filter)

    await rows_read(contacts.list_contacts(caller, asked), "contacts", monkeypatch)
    found = await read_page(
        caller, CONTACT, {"first": 1, "filter": filter}, Selection(), PageParts(total=True)
    )

    (expected,) = (totals[name] for name in filter)
    assert (await contacts.list_contacts(caller, asked))["total"] == found["totalCount"] == expected


async def test_the_funnel_of_a_campaign_looks_at_the_links_that_were_followed_alone(
    caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    await db.execute(SENT, caller.organization_id, caller.env, MANY)
    await db.execute(LINKED)
    await db.execute("ANALYZE messages, short_links")
    query = CampaignStatsQuery.model_validate({"campaignId": "autumn"})

    read = await rows_read(campaign_stats(caller, query), "short_links", monkeypatch)

    assert (await campaign_stats(caller, query))["clicked"] == MANY // 20
    assert read <= MANY // 20
    clicked = segments.Filter.model_validate(
        {"filters": [{"field": "clicked", "operator": "exists"}]}
    )
    assert await rows_read(segments.preview(caller, clicked), "short_links", monkeypatch) <= read


async def test_deliveries_of_an_uncommon_event_are_found_without_reading_every_event(
    caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    id = (await a_subscription(caller, events=["sms.delivered", "sms.failed"]))["webhook"]["id"]
    for statement in HAPPENED:
        await db.execute(statement, caller.organization_id, caller.env, id, MANY)
    await db.execute("ANALYZE webhook_events, webhook_deliveries")
    over_rest = webhooks.list_deliveries(
        caller, id, webhooks.DeliveryFilter.model_validate({"event": "sms.failed", "limit": 200})
    )
    over_graphql = read_page(
        caller,
        DELIVERY,
        {"first": 100, "filter": {"event": "sms.failed"}},
        Selection(fields={"id": None}),
        PageParts(nodes=True, total=True),
    )

    assert await rows_read(over_rest, "webhook_events", monkeypatch) <= 5 * MANY // 100
    assert await rows_read(over_graphql, "webhook_events", monkeypatch) <= 5 * MANY // 100


async def test_what_waits_for_one_client_is_read_without_what_waits_for_others(
    clean_slate: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = await a_caller(scopes=frozenset(Scope))
    for waits, number in ((await a_caller(), MANY), (client, PAGE)):
        await db.execute(REPLIED, waits.organization_id, waits.env, number)
    await db.execute("ANALYZE smpp_replies")

    read = await rows_read(
        smpp.list_outbox(client, smpp.SmppDeliveryFilter()), "smpp_replies", monkeypatch
    )

    assert read == 2 * PAGE  # the page and its total


HAPPENED = (
    """
    INSERT INTO webhook_events (id, organization_id, env, type, data, occurred_at, created_at)
    SELECT 'evt_' || n, $1, $2, CASE n % 100 WHEN 0 THEN 'sms.failed' ELSE 'sms.delivered' END, '{}', now(), now()
    FROM generate_series(1, $4::int) AS n WHERE $3::text IS NOT NULL
    """,
    """
    INSERT INTO webhook_deliveries
        (id, organization_id, env, subscription_id, event_id, status, attempts, created_at, finished_at)
    SELECT 'dlv_' || n, $1, $2, $3, 'evt_' || n, 'entregue', 1, now(), now() FROM generate_series(1, $4::int) AS n
    """,
)

REPLIED = """
INSERT INTO smpp_replies (organization_id, env, message_id, account_id, sender, destination, created_at, due_at)
SELECT $1::text, $2, left(md5($1::text || n), 21), 'smp_1', '5511987654321', '27500', now(), now()
FROM generate_series(1, $3::int) AS n
"""


SENT = """
INSERT INTO messages (id, organization_id, env, channel, direction, status, recipient, provider, campaign_id, coins,
                      created_at, sent_at, updated_at)
SELECT 'msg_' || n, $1, $2, 'sms', 'outbound', 'delivered', '+5511987650005', 'svc-sandbox', 'autumn', 800,
       now(), now(), now()
FROM generate_series(1, $3::int) AS n
"""

# Every twentieth was followed by a person, and every third by a bot.
LINKED = """
INSERT INTO short_links (code, organization_id, env, message_id, channel, position, url, clicks, bot_clicks,
                         first_clicked_at, last_clicked_at, created_at)
SELECT lpad(row_number() OVER ()::text, 10, '0'), organization_id, env, id, channel, 0, 'https://example.com',
       (row_number() OVER () % 20 = 0)::int, (row_number() OVER () % 3 = 0)::int,
       CASE WHEN row_number() OVER () % 20 = 0 THEN now() END, CASE WHEN row_number() OVER () % 20 = 0 THEN now() END,
       now()
FROM messages
"""
