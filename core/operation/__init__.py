"""What the people who run the service look at: queues, servers, processes, and the page with all
that is counted.
"""

from core.operation.access import may_scrape
from core.operation.facts import (
    Connections,
    Reach,
    clock_skew,
    connections,
    database_id,
    sealed_with,
    webhook_reach,
)
from core.operation.pulse import Pulse
from core.operation.queues import QUEUES, Backlog, Queue, measure_queues
from core.operation.renew_encryption import Renewal, renew_encryption
from core.operation.show_message import operator_of, show_message
from core.operation.table_sums import TableSums, sums_of_tables, table_names
from core.operation.view import View

__all__ = [
    "QUEUES",
    "Backlog",
    "Connections",
    "Pulse",
    "Queue",
    "Reach",
    "Renewal",
    "TableSums",
    "View",
    "clock_skew",
    "connections",
    "database_id",
    "may_scrape",
    "measure_queues",
    "operator_of",
    "renew_encryption",
    "sealed_with",
    "show_message",
    "sums_of_tables",
    "table_names",
    "webhook_reach",
]
