"""Seeded conversations obey the rules that real ones obey."""

from collections import Counter, defaultdict
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest

from core import templates
from core.conversations.addresses import identity_of
from core.conversations.windows import WINDOW
from core.foundation.database import db
from core.foundation.security.caller import Caller
from core.numbers import NumberStatus
from core.numbers.models import InstagramAccount, Number
from core.providers.sandbox.conversations import conversation_story
from core.read_models import statistics
from core.templates import Template
from tests.factories.numbers import a_number
from tests.factories.organizations import a_caller
from tests.factories.seeding import AS_OF, a_seed
from tests.support.ledger import check_books
from tests.support.slates import rolled_back

pytestmark = pytest.mark.usefixtures("clean_slate")

BOTH = pytest.mark.parametrize("seeded", ["test", "live"], indirect=True, scope="module")
SANDBOX = pytest.mark.parametrize("seeded", ["test"], indirect=True, scope="module")


@dataclass(frozen=True)
class Seeded:
    """Whose conversations they are, and what the seed answered."""

    caller: Caller
    answer: dict[str, Any]


@pytest.fixture(scope="module")
async def seeded(request: pytest.FixtureRequest, database: None) -> AsyncIterator[Seeded]:
    """An organization with seeded conversations in an environment, which the tests only look at."""
    async with rolled_back():
        caller = await a_caller(request.param)
        yield Seeded(caller, await a_seed(caller, contacts=150, messages=6_000))


async def the_messages(caller: Caller) -> list[Any]:
    return await db.fetch(
        "SELECT * FROM messages WHERE organization_id = $1 AND env = $2 AND channel IN ('whatsapp', 'instagram') "
        "ORDER BY created_at, id",
        caller.organization_id,
        caller.env,
    )


def sender_of(row: Any) -> str:
    return str(row["number_id"] or row["instagram_account_id"])


@BOTH
async def test_a_tenth_of_the_messages_comes_in_threads_of_both_sides(seeded: Seeded) -> None:
    rows = await the_messages(seeded.caller)
    assert (seeded.answer["conversations"], len(rows)) == (600, 600)
    kinds = Counter((row["direction"], row["type"]) for row in rows)
    assert kinds["outbound", "template"] > 100
    assert kinds["outbound", "text"] > 50
    assert kinds["inbound", "text"] > 50
    assert kinds["inbound", "interactive"] > 5
    assert {row["channel"] for row in rows} == {"whatsapp", "instagram"}
    assert any(row["link_origin"] for row in rows)
    assert all((row["sent_by_account_id"] is not None) == (row["type"] == "text" and row["direction"] == "outbound")
               for row in rows)  # fmt: skip


@BOTH
async def test_status_and_times_agree(seeded: Seeded) -> None:
    seen = Counter[str]()
    for row in await the_messages(seeded.caller):
        seen[row["status"]] += 1
        assert AS_OF - timedelta(days=90) <= row["created_at"] < AS_OF
        there = [
            at
            for at in (
                row[f"{name}_at"] for name in ("created", "sent", "delivered", "read", "failed")
            )
            if at
        ]
        assert there == sorted(there)
        assert row["updated_at"] == there[-1] < AS_OF or row["status"] == "sent"
        assert (row["status"] == "read") == (row["read_at"] is not None)
        assert (
            (row["status"] == "failed")
            == (row["failed_at"] is not None)
            == (row["reason"] is not None)
        )
        assert (row["direction"] == "inbound") == (row["sent_at"] is None)
        if (
            seeded.caller.env == "test"
            and row["type"] == "template"
            and not (story := conversation_story(row["recipient"]))
        ):
            assert (story, row["status"]) == ((), "sent")
    assert seen["read"] > 0.4 * 600 / 2
    assert seen["failed"] > 0
    assert seen["delivered"] > 0


@BOTH
async def test_what_is_written_by_hand_leaves_within_the_window_and_the_window_is_known(
    seeded: Seeded,
) -> None:
    caller = seeded.caller
    wrote: dict[tuple[str, str], Any] = {}

    for row in await the_messages(caller):
        person = (sender_of(row), row["recipient"])
        if row["direction"] == "inbound":
            wrote[person] = row["created_at"]
        elif row["type"] == "text":
            assert row["created_at"] - wrote[person] < WINDOW
    pairs = await db.fetch(
        "SELECT * FROM conversation_pairs WHERE organization_id = $1", caller.organization_id
    )
    channel_of = defaultdict(lambda: "whatsapp", {(await InstagramAccount.get()).id: "instagram"})
    assert {(pair["sender_id"], pair["identity"]): pair["last_inbound_at"] for pair in pairs} == {
        (sender, identity_of(channel_of[sender], caller.organization_id, person)): at
        for (sender, person), at in wrote.items()
    }


@BOTH
async def test_templates_cost_what_they_cost_and_the_books_add_up(seeded: Seeded) -> None:
    await check_books()
    moved = await db.fetch(
        "SELECT m.id, m.coins, m.type, array_agg(t.kind ORDER BY t.kind) FILTER (WHERE t.coins = m.coins) AS kinds "
        "FROM messages m LEFT JOIN wallet_transfers t ON t.origin = m.id "
        "WHERE m.channel IN ('whatsapp', 'instagram') GROUP BY m.id"
    )
    for row in moved:
        paid = row["type"] == "template"
        assert (row["coins"], row["kinds"]) == (
            (400, ["captura", "reserva"]) if paid else (0, None)
        )


@SANDBOX
async def test_the_templates_are_such_as_the_service_would_take_and_number_and_account_are_there(
    seeded: Seeded,
) -> None:
    caller, answer = seeded.caller, seeded.answer
    own = await a_number(caller)

    stored = await Template.all()
    assert (answer["numbers"], answer["templates"]) == (2, len(stored))
    for one in stored:
        body = {
            "number_id": own.id,
            **{name: getattr(one, name) for name in ("name", "language", "components")},
        }
        new = templates.NewTemplate.model_validate({**body, "category": one.category.value})
        assert (await templates.create_template(caller, new))["components"] == one.components
    used = {row["template_id"] for row in await the_messages(caller)} - {None}
    assert used == {one.id for one in stored}
    assert {one.status for one in await Number.exclude(id=own.id)} == {NumberStatus.CONNECTED}


async def test_made_up_numbers_send_nothing_in_production() -> None:
    caller = await a_caller("live")
    await a_seed(caller, messages=10)

    numbers = await Number.filter(organization_id=caller.organization_id)
    assert {one.status for one in numbers} == {NumberStatus.DISCONNECTED}


async def test_two_organizations_have_the_same_seed_side_by_side() -> None:
    for caller in (await a_caller(), await a_caller(), await a_caller("live")):
        assert (await a_seed(caller, messages=200))["conversations"] == 20
        assert (await a_seed(caller, messages=200))["conversations"] == 0


@SANDBOX
async def test_the_figures_of_numbers_are_those_of_the_messages(seeded: Seeded) -> None:
    caller = seeded.caller
    query = statistics.MessageStatsQuery.model_validate(
        {
            "from_": AS_OF - timedelta(days=90),
            "to": AS_OF,
            "bucket": "month",
            "group_by": ["number"],
        },
        strict=False,
    )
    answer = await statistics.message_stats(caller, query, {"channel": ["whatsapp"]})
    rows = [row for row in await the_messages(caller) if row["channel"] == "whatsapp"]
    assert answer["totals"]["received"] == sum(row["direction"] == "inbound" for row in rows)
    assert {point["numberId"] for point in answer["points"]} == {row["number_id"] for row in rows}
