"""Figures over time and of campaigns, each read by one statement."""

from core.read_models.statistics.buckets import MAX_BUCKETS, Bucket
from core.read_models.statistics.campaign_stats import campaign_stats
from core.read_models.statistics.contact_stats import contact_stats
from core.read_models.statistics.decision_stats import decision_stats
from core.read_models.statistics.inputs import (
    CampaignStatsQuery,
    ContactStatsQuery,
    DecisionGroup,
    DecisionStatsQuery,
    Group,
    MessageStatsQuery,
)
from core.read_models.statistics.message_stats import message_stats
from core.read_models.statistics.number_usage import get_usage, get_usage_series

__all__ = [
    "MAX_BUCKETS",
    "Bucket",
    "CampaignStatsQuery",
    "ContactStatsQuery",
    "DecisionGroup",
    "DecisionStatsQuery",
    "Group",
    "MessageStatsQuery",
    "campaign_stats",
    "contact_stats",
    "decision_stats",
    "get_usage",
    "get_usage_series",
    "message_stats",
]
