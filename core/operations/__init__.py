"""What the people who run the service look at and do: queues, servers, processes, metrics, keys."""

from core.operations.cell_databases import (
    CellIsAnother,
    CellNotEmpty,
    lead_to,
    refuse_taken_database,
)
from core.operations.cell_states import (
    PATIENT_SECONDS,
    CellStatus,
    look_into_cells,
    measure_cells,
)
from core.operations.diagnostics import (
    Connections,
    WebhookReach,
    clock_skew,
    connections,
    database_id,
    sealed_with,
    webhook_reach,
)
from core.operations.files_of import is_one_of_several, organizations_living_in
from core.operations.hash_key import tell_another_hash_key
from core.operations.metrics_page import MetricsPage, may_scrape
from core.operations.metrics_server import metrics_server
from core.operations.open_organization import open_organization
from core.operations.places import (
    DatabasePlace,
    NotMigrated,
    NotOnCitus,
    distribute,
    move,
    place_of,
    rebalance,
)
from core.operations.process_stats import ProcessStats
from core.operations.queues import QUEUES, Backlog, DueQueue, measure_queues
from core.operations.renew_encryption import Renewal, renew_encryption
from core.operations.show_message import operator_of, show_message
from core.operations.table_sums import TableSums, sums_of_tables, table_names

__all__ = [
    "PATIENT_SECONDS",
    "QUEUES",
    "Backlog",
    "CellIsAnother",
    "CellNotEmpty",
    "CellStatus",
    "Connections",
    "DatabasePlace",
    "DueQueue",
    "MetricsPage",
    "NotMigrated",
    "NotOnCitus",
    "ProcessStats",
    "Renewal",
    "TableSums",
    "WebhookReach",
    "clock_skew",
    "connections",
    "database_id",
    "distribute",
    "is_one_of_several",
    "lead_to",
    "look_into_cells",
    "may_scrape",
    "measure_cells",
    "measure_queues",
    "metrics_server",
    "move",
    "open_organization",
    "operator_of",
    "organizations_living_in",
    "place_of",
    "rebalance",
    "refuse_taken_database",
    "renew_encryption",
    "sealed_with",
    "show_message",
    "sums_of_tables",
    "table_names",
    "tell_another_hash_key",
    "webhook_reach",
]
