"""What Amazon tells of SMS: events, replies, costs, log lines; by queue, by notification, by log group."""

from core.sms.amazon.apply import apply_told
from core.sms.amazon.costs import CostFilter, GroupBy, provider_costs
from core.sms.amazon.events_loop import AmazonEvents
from core.sms.amazon.logs_loop import AmazonLogs

__all__ = ["AmazonEvents", "AmazonLogs", "CostFilter", "GroupBy", "apply_told", "provider_costs"]
