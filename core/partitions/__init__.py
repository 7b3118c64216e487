"""Tables that are partitioned by month: how they become so, the months to come, and those that
leave (retention).
"""

from core.partitions.add_months import MONTHS_AHEAD, add_months
from core.partitions.enable import PartitionNotReady, enable, take_back_stale
from core.partitions.finish import export_key, finish_detached
from core.partitions.keep import keep_in_order
from core.partitions.layout import (
    Partition,
    detached_months,
    partitioned_tables,
    partitions_of,
)
from core.partitions.parquet import MissingLibrary, is_available
from core.partitions.retention import detach_old_months, keep_months_of, oldest_kept
from core.partitions.status import partition_status
from core.partitions.tables import TABLES, PartitionedTable

__all__ = [
    "MONTHS_AHEAD",
    "TABLES",
    "MissingLibrary",
    "Partition",
    "PartitionNotReady",
    "PartitionedTable",
    "add_months",
    "detach_old_months",
    "detached_months",
    "enable",
    "export_key",
    "finish_detached",
    "is_available",
    "keep_in_order",
    "keep_months_of",
    "oldest_kept",
    "partition_status",
    "partitioned_tables",
    "partitions_of",
    "take_back_stale",
]
