"""The tables that are partitioned by month, and what partitions them."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PartitionedTable:
    """A table that grows with time. `column`: the time whose month decides in which partition a row
    lies.
    """

    name: str
    column: str

    @property
    def earlier(self) -> str:
        """The partition of all rows from before partitioning: the table that it was."""
        return f"{self.name}_before"

    @property
    def unplanned(self) -> str:
        """The default partition: rows of months that nobody added are stored there and not refused."""
        return f"{self.name}_unplanned"


MESSAGES = PartitionedTable("messages", "created_at")
RECEIPTS = PartitionedTable("message_receipts", "received_at")
EVENTS = PartitionedTable("webhook_events", "created_at")
DELIVERIES = PartitionedTable("webhook_deliveries", "created_at")
ATTEMPTS = PartitionedTable("webhook_attempts", "at")
AUDIT = PartitionedTable("audit_entries", "at")

TABLES = (MESSAGES, RECEIPTS, EVENTS, DELIVERIES, ATTEMPTS, AUDIT)
"""All of them. Others keep a rule by a unique key that no month can be part of, or do not grow with
time.
"""
