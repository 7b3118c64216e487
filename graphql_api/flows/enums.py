"""Closed sets of flows."""

from core.flows import FlowCategory as Category
from core.flows import FlowStatus as Status
from core.flows import MetaStatus
from graphql_api.enums import wire_enum
from graphql_api.inputs import spell

FlowStatus = wire_enum("FlowStatus", Status)
FlowMetaStatus = wire_enum("FlowMetaStatus", MetaStatus)
FlowCategory = wire_enum("FlowCategory", Category)

spell(Category, FlowCategory)
