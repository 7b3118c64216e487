"""Flows: forms inside a conversation."""

from core.flows.change import change_flow
from core.flows.create import create_flow
from core.flows.errors import FlowUnavailable, UnknownFlow
from core.flows.inputs import FlowChanges, FlowFilter, NewFlow
from core.flows.lifecycle import archive_flow, delete_flow, deprecate_flow, pause_flow, resume_flow
from core.flows.models import Flow, FlowCategory, FlowStatus, MetaStatus
from core.flows.notices import apply_notices
from core.flows.publish import publish_flow, validate_flow
from core.flows.queries import get_flow, list_flows
from core.flows.record import FlowPage, FlowRecord
from core.flows.sending import flow_for_sending
from core.flows.validation import ValidationRecord

__all__ = [
    "Flow",
    "FlowCategory",
    "FlowChanges",
    "FlowFilter",
    "FlowPage",
    "FlowRecord",
    "FlowStatus",
    "FlowUnavailable",
    "MetaStatus",
    "NewFlow",
    "UnknownFlow",
    "ValidationRecord",
    "apply_notices",
    "archive_flow",
    "change_flow",
    "create_flow",
    "delete_flow",
    "deprecate_flow",
    "flow_for_sending",
    "get_flow",
    "list_flows",
    "pause_flow",
    "publish_flow",
    "resume_flow",
    "validate_flow",
]
