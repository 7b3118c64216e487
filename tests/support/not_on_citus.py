"""Tests that cannot hold where Citus has placed the schema, each with its reason.

Only what is so by nature is here: what the service cannot do there is mended in the service.
"""

import pytest

ONE_SERVER = "it stops or copies the one PostgreSQL that a database is"
PLAN = "the plan is that of the coordinator, which reads no table"
SETTING = "what a transaction sets stays at the coordinator; the service sets nothing that rows are read by"
MONTHS = (
    "it partitions inside the transaction of a test, beside which no function can be made on the machine; "
    "tests/scaling/test_citus_months.py does so there"
)
VERSION_BEFORE = (
    "a version older than placed cells writes an event, whose number a trigger draws on the machine"
)

NOT_ON_CITUS = {
    "tests/core/exports/test_export_conversations.py::test_a_deep_page_touches_no_more_than_the_first": PLAN,
    "tests/core/foundation/observability/test_logs.py"
    "::test_a_failure_of_the_database_is_told_without_rows_and_values": (
        "a copy of whole rows is refused, and what stands for it waits for the table that the test has altered"
    ),
    "tests/core/read_models/test_board.py::test_the_columns_of_a_board_are_read_by_their_index": SETTING,
    "tests/core/foundation/database/test_heavy_work.py"
    "::test_a_transaction_inside_is_of_the_heavy_pool_and_everything_joins_it": (
        "a planned statement runs on the machine of the cell, by another connection there"
    ),
    "tests/core/foundation/database/test_kept_plans.py": PLAN,
    "tests/core/foundation/database/test_log_flush.py::test_what_is_logged_is_written": (
        "the machine of the cell logs the rows, and the service flushes no other log than its server's"
    ),
    "tests/core/messaging/test_batch_lock.py": "batches are written by the machine of the cell, and lock nothing",
    "tests/core/messaging/test_hours.py::test_figures_stay_when_old_messages_go": SETTING,
    "tests/core/operations/test_queues.py::test_a_queue_is_measured_by_an_index": SETTING,
    "tests/core/partitions/test_months.py": MONTHS,
    "tests/core/wallet/test_daily_totals.py"
    "::test_a_proof_reads_the_movements_behind_the_sums_alone": PLAN,
    "tests/core/webhooks/delivery/test_plans.py": PLAN,
    "tests/core/webhooks/events/test_feed.py"
    "::test_events_and_cursors_of_the_version_before_are_carried_over": VERSION_BEFORE,
    "tests/core/webhooks/events/test_feed.py"
    "::test_what_a_process_of_the_version_before_still_writes_is_told": VERSION_BEFORE,
    "tests/faults/test_full_disk.py": ONE_SERVER,
    "tests/faults/test_promotion.py": "a PostgreSQL of its own with a standby, which is no cluster",
    "tests/faults/test_restored.py"
    "::test_a_copy_that_lacks_the_last_events_says_so_and_goes_on": ONE_SERVER,
}
"""By file, or by file and function."""


def skip_there(items: list[pytest.Item]) -> None:
    """Skip those of the list."""
    for item in items:
        file, _, name = item.nodeid.partition("::")
        function = f"{file}::{name.partition('[')[0]}"
        if reason := NOT_ON_CITUS.get(function) or NOT_ON_CITUS.get(file):
            item.add_marker(pytest.mark.skip(reason=f"not on Citus: {reason}"))
