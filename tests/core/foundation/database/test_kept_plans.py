"""Statements that look several times a second whether anything is due, by a plan that is kept."""

import re

import pytest

from core.foundation.database import db
from core.journeys.runs.move import IS_DUE
from core.messaging import CONVERSATIONS
from core.providers.sandbox.reports import TAKE, looks_for, next_report
from tests.support.plans import forget_statistics

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
