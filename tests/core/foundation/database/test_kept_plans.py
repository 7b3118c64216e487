"""Statements that look several times a second whether anything is due, by a plan that is kept."""

import re

import pytest

from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.moved_clocks import _variant
from core.journeys.entry.members import DIRTY_BATCH, NEXT_LOOK
from core.journeys.runs.audience import IS_ANY
from core.journeys.runs.move import IS_DUE
from core.messaging import CONVERSATIONS, Channel, next_waiting
from core.messaging.queue.due_organizations import find_due_organizations
from core.messaging.queue.expire import NEXT_EXPIRY
from core.messaging.queue.pacing import FEW
from core.providers.sandbox.reports import TAKE, looks_for, next_report
from core.push.live_sender import CLAIM, UNDER_WAY
from tests.support.plans import forget_statistics, rows_read

pytestmark = pytest.mark.usefixtures("clean_slate")

LATER = "now() + n * interval '1 second' FROM generate_series(1, 20000) n"
EARLIER = LATER.replace("+", "-")
REPORTS = f"""
INSERT INTO sandbox_reports (message_id, organization_id, env, channel, status, receipt, due_at)
SELECT 'msg_' || n, 'org_' || n % 50, 'test', 'sms', 'delivered', '{{}}', {LATER}"""
RUNS = f"""
INSERT INTO journey_runs
    (id, organization_id, env, version_id, lineage_id, contact_id, step, entered_at, step_at, due_at)
SELECT gen_random_uuid(), 'org_' || n % 50, 'live', 'jor_a', 'jor_a', 'cnt_' || n, 0, now(), now(), {LATER}"""


@pytest.mark.parametrize(
    ("table", "rows", "looks", "values"),
    [
        ("sandbox_reports", REPORTS, looks_for(["sms"]), "now()"),
        ("journey_runs", RUNS, IS_DUE, "now()"),
    ],
    ids=["reports of the sandbox", "runs of journeys"],
)
async def test_whoever_looks_whether_anything_is_due_reads_nothing_of_what_is_not(
    table: str, rows: str, looks: str, values: str
) -> None:
    await db.execute(rows)
    await db.execute(f"ANALYZE {table}")
    told = await told_of(looks, values)
    assert "Rows Removed" not in told, told
    assert "Index" in told, told
    assert "Seq Scan" not in told, told


CHANNELS = ("sms", "rcs", "email", *CONVERSATIONS)


async def told_of(statement: str, values: str) -> str:
    """What PostgreSQL does for a statement whose plan is kept."""
    await db.execute("SET LOCAL plan_cache_mode = force_generic_plan")
    await db.execute("SET LOCAL enable_seqscan = off")
    await db.execute(f"PREPARE looks AS {statement}")
    try:
        plan = await db.fetch(f"EXPLAIN (ANALYZE, COSTS OFF) EXECUTE looks ({values})")
    finally:
        await db.execute("DEALLOCATE looks")
    return "\n".join(line[0] for line in plan)


@pytest.mark.parametrize("counted", [True, False], ids=["counted", "never counted"])
@pytest.mark.parametrize("filled", ["sms", "rcs"])
async def test_reports_due_on_a_channel_are_found_behind_those_of_another(
    filled: str, counted: bool
) -> None:
    await db.execute(REPORTS.replace(LATER, EARLIER).replace("sms", filled))
    await (
        db.execute("ANALYZE sandbox_reports") if counted else forget_statistics("sandbox_reports")
    )
    others = [[channel] for channel in CHANNELS if channel != filled]
    for statement, values in (
        *((looks_for(channels), "now()") for channels in (*others, CONVERSATIONS)),
        *((TAKE.format(channel=channel), "now(), 500") for [channel] in others),
    ):
        told = await told_of(statement, values)
        assert re.search(r"Index Cond: \(+channel\b", told), told
        assert "Seq Scan" not in told, told
        assert "Rows Removed" not in told, told


@pytest.mark.parametrize("counted", [True, False], ids=["counted", "never counted"])
async def test_the_next_report_of_a_sandbox_is_found_without_reading_those_of_others(
    counted: bool,
) -> None:
    await db.execute(REPORTS)
    await (
        db.execute("ANALYZE sandbox_reports") if counted else forget_statistics("sandbox_reports")
    )
    for channels in (["sms"], ["rcs"], CONVERSATIONS):
        told = await told_of(next_report(*channels), "'org_without_any'")
        assert "Seq Scan" not in told, told
        assert "Rows Removed" not in told, told


OTHERS = "'org_' || n % 50"
OWN = "'org_own'"
WAITING = f"""
INSERT INTO waiting_messages
    (message_id, organization_id, env, sender_id, identity, urgency, due_at, created_at, expires_at)
SELECT 'msg_' || n, {{owner}}, 'test', 'email:test:' || {{owner}}, '', 1, {LATER.partition(" FROM")[0]}, now(), {LATER}"""
DEVICES = f"""
WITH dispatch AS (
    INSERT INTO push_dispatches
        (id, organization_id, env, origin, status, title, body, platforms, rate_kind, unit_coins, reach, open_count,
         started_at, created_at, updated_at)
    VALUES ('psh_1', 'org_own', 'live', 'api', 'sending', '', '', '{{}}', 'simple', 0, 1, 1, now(), now(), now())
)
INSERT INTO push_deliveries (organization_id, env, dispatch_id, device_id, platform, due_at)
SELECT 'org_own', 'live', 'psh_1', 'dev_' || n, 'ios', {LATER}"""
CHANGES = f"""
INSERT INTO audience_changes (organization_id, env, kind, ref, contact_id, entered, xid, at)
SELECT 'org_held', 'test', 'list', 'lst_1', 'cnt_' || n, true, 1, {EARLIER}"""
CHANGED = """
INSERT INTO dirty_contacts (organization_id, env, contact_id)
SELECT 'org_own', 'test', 'cnt_' || n FROM generate_series(1, 20000) n"""


@pytest.mark.parametrize("counted", [True, False], ids=["counted", "never counted"])
@pytest.mark.parametrize(
    ("table", "rows", "statement", "values"),
    [
        ("waiting_messages", WAITING.format(owner=OTHERS), NEXT_EXPIRY, OWN),
        ("waiting_messages", WAITING.format(owner=OWN), next_waiting(Channel.SMS), OWN),
        ("waiting_messages", WAITING.format(owner=OWN), next_waiting(Channel.EMAIL), OWN),
        ("push_deliveries", DEVICES, UNDER_WAY, "now(), 8"),
        ("push_deliveries", DEVICES, CLAIM, "'psh_1', now(), 100, now()"),
        ("audience_changes", CHANGES, _variant(IS_ANY, "but", 1), "ARRAY['org_held']"),
    ],
    ids=[
        "validities of others",
        "own that wait for later, on another channel",
        "own that wait for later",
        "devices that wait for their provider, of a dispatch",
        "devices that wait for their provider",
        "changes that are left to a clock",
    ],
)
async def test_a_look_passes_over_what_is_not_for_it_without_reading_it(
    table: str, rows: str, statement: str, values: str, counted: bool
) -> None:
    await db.execute(rows)
    await (db.execute(f"ANALYZE {table}") if counted else forget_statistics(table))

    told = await told_of(statement, values)

    assert f"Seq Scan on {table}" not in told, told
    assert sum(map(int, re.findall(r"Rows Removed by \w+(?: \w+)?: (\d+)", told))) <= 1, told


async def test_of_contacts_that_changed_no_more_are_read_than_are_looked_at_next() -> None:
    await db.execute(CHANGED)

    told = await told_of(NEXT_LOOK, OWN)

    [loops] = re.findall(r"on contacts c .*loops=(\d+)", told)
    assert 0 < int(loops) <= DIRTY_BATCH, told


async def test_senders_with_nothing_due_are_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    await db.execute(WAITING.format(owner="'org_' || n % 10000"))
    looks = find_due_organizations(Channel.EMAIL, at=now(), most=10)

    assert await rows_read(looks, "waiting_messages", monkeypatch) == 0


@pytest.mark.parametrize("due", [FEW, FEW + 1], ids=["few", "many"])
async def test_senders_are_found_among_few_and_many_that_are_due(due: int) -> None:
    await db.execute(WAITING.format(owner=OTHERS))
    await db.execute(
        "UPDATE waiting_messages SET due_at = now() - interval '1 minute' WHERE message_id = ANY ($1)",
        [f"msg_{n}" for n in range(1, due + 1)],
    )

    found = await find_due_organizations(Channel.EMAIL, at=now(), most=10_000)

    assert sum(one.normal for one in found) == due
    assert {one.organization_id for one in found} == {f"org_{n}" for n in range(50)}
