"""Closed sets of numbers."""

from core.numbers import NameStatus, NumberStatus, Quality, Tier
from graphql_api.enums import wire_enum

NumberState = wire_enum("NumberStatus", NumberStatus)
NumberQuality = wire_enum("NumberQuality", Quality)
MessagingTier = wire_enum("MessagingTier", Tier)
NumberNameStatus = wire_enum("NumberNameStatus", NameStatus)
PartnerRemovedReason = wire_enum(
    "PartnerRemovedReason", ("PARTNER_REMOVED", "PARTNER_APP_UNINSTALLED")
)
